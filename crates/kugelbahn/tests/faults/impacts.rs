//! Impacts and landings: time, place, frame and velocities to rounding.
