//! Along the ground: steps that stall, slip, stick, second contacts.
