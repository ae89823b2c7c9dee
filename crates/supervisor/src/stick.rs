//! Sticking: how a ball on the ground goes on when its slip, speed or spin has come to zero.

use flight::FlightMethod;
use mechanics::Mode;
use rolling::{ContactMethod, ContactState, ContactSystem};

use crate::motion::{Contact, Stopped};
use crate::run::Run;
use crate::{EventKind, Observer};

impl<F: FlightMethod, C: ContactMethod> Run<'_, F, C> {
    /// Slip has come to zero, or rolling against resistance: it sticks, rests, or turns round.
    pub(crate) fn stick(
        &mut self,
        system: &ContactSystem,
        state: &ContactState,
        observer: &mut dyn Observer,
    ) -> Result<Contact, Stopped> {
        let mut state = *state;
        [state.speed, state.spin] = system.ball.stuck(state.speed, state.spin);
        self.begin_anew(system, &state, 0.0, observer)
    }

    /// The spin of a ball that slides has come to zero against rolling resistance: it stays so, or turns the other way.
    pub(crate) fn go_on_without_spin(
        &mut self,
        system: &ContactSystem,
        state: &ContactState,
        observer: &mut dyn Observer,
    ) -> Result<Contact, Stopped> {
        let state = ContactState { spin: 0.0, ..*state };
        self.begin_anew(system, &state, state.speed, observer)
    }

    /// Goes on in the mode that begins with `slip` m/s.
    fn begin_anew(
        &mut self,
        system: &ContactSystem,
        state: &ContactState,
        slip: f64,
        observer: &mut dyn Observer,
    ) -> Result<Contact, Stopped> {
        let force = system.forces.force_at(&state.state());
        let mode = Mode::begin(system.ball, system.contact, &state.frame, force, state.speed, slip);
        self.switch(system, state, mode, EventKind::of_mode(mode), observer)
    }
}
