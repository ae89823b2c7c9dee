//! Balls that time stepping has, and when their next step ends.

use moreau::{Audit, Balls, Energy};

#[derive(Debug)]
pub(crate) struct Handed {
    pub members: Vec<SteppedBall>,
    /// Their scheme, at the end of the step that is under way.
    pub balls: Option<Balls>,
    /// Audit of the schemes before this one.
    past: Audit,
    /// Balls that join at the next mark.
    pub waiting: Vec<usize>,
    /// Where the marks begin, s, the number of the next one, and its time, s; ∞: nobody is here.
    pub origin: f64,
    pub mark: u64,
    pub due: f64,
    pub found: Vec<usize>,
    /// Contacts of the step before and of this one, in order: the ball, and the other one.
    pub active: [Vec<(usize, Option<usize>)>; 2],
    pub is_member: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SteppedBall {
    pub ball: usize,
    /// Its ledger when it joined, or when the scheme was made anew.
    pub base: Energy,
    /// Steps without a contact.
    pub free: u32,
}

impl Handed {
    pub fn new(balls: usize) -> Self {
        Handed {
            members: Vec::new(),
            balls: None,
            past: Audit::default(),
            waiting: Vec::new(),
            origin: 0.0,
            mark: 0,
            due: f64::INFINITY,
            found: Vec::new(),
            active: [Vec::new(), Vec::new()],
            is_member: vec![false; balls],
        }
    }

    /// When the step under way ends, s; ∞: nobody is here.
    pub fn due(&self) -> f64 {
        self.due
    }
    /// How many there are.
    pub fn balls(&self) -> usize {
        self.members.len() + self.waiting.len()
    }
    pub fn stepping(&self) -> Option<&Balls> {
        self.balls.as_ref()
    }
    /// Audit of all steps until now.
    pub fn audit(&self) -> Audit {
        self.balls.as_ref().map_or(self.past, |balls| *balls.audit())
    }
    /// Ends the scheme; another one goes on with its audit.
    pub fn end(&mut self) -> Audit {
        self.past = self.audit();
        self.balls = None;
        self.past
    }
}
