//! The functions that the page calls: see README.md.

use std::cell::{Cell, RefCell};

use scenario::input::InputError;
use serde_json::Value;
use session::Session;

/// A run of which the worker ends it when it takes longer, s; a newer change ends it at once.
const PATIENCE: u64 = 60;
/// How often the worker is told how far a run is: at every so many steps.
const TOLD: u32 = 64;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

#[link(wasm_import_module = "worker")]
#[allow(unsafe_code, reason = "the function of the worker takes a number and gives one")]
unsafe extern "C" {
    /// Hears which part of the duration is done; 1: the run is to end.
    safe fn ends(part: f64, patience: f64) -> i32;
}

/// Makes room for `length` bytes of a request; returns where they go.
#[allow(unsafe_code, reason = "a name for the page")]
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|bytes| {
        bytes.clear();
        bytes.resize(length, 0);
        bytes.as_mut_ptr()
    })
}

/// Returns where the bytes of the answer are.
#[allow(unsafe_code, reason = "a name for the page")]
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|bytes| bytes.as_ptr())
}

/// Returns how many bytes the answer has.
#[allow(unsafe_code, reason = "a name for the page")]
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    OUTPUT.with_borrow(Vec::len)
}

/// Opens the gallery: the input is a list of `{ title, file, toml }`. Returns 0, or 1 where that is none.
#[allow(unsafe_code, reason = "a name for the page")]
#[unsafe(no_mangle)]
pub extern "C" fn open() -> u32 {
    let Ok(Value::Array(list)) = serde_json::from_slice(&INPUT.take()) else { return 1 };
    SESSION.set(Some(Session::of_texts(&list, PATIENCE)));
    0
}

/// Answers the request that is the input by the data of its run. Returns 0, or 1 where the answer is an error as JSON.
#[allow(unsafe_code, reason = "a name for the page")]
#[unsafe(no_mangle)]
pub extern "C" fn data() -> u32 {
    answer(Session::data)
}

/// Answers the request that is the input by the figures of its run. Returns as [`data`] does.
#[allow(unsafe_code, reason = "a name for the page")]
#[unsafe(no_mangle)]
pub extern "C" fn figures() -> u32 {
    answer(Session::figures)
}

type Answer = fn(&Session, &[u8], &dyn Fn(f64) -> bool) -> Result<Vec<u8>, InputError>;

fn answer(make: Answer) -> u32 {
    let request = INPUT.take();
    let steps = Cell::new(0_u32);
    let ends = |part: f64| {
        steps.set(steps.get().wrapping_add(1));
        steps.get() % TOLD == 0 && ends(part, PATIENCE as f64) != 0
    };
    let made = SESSION.with_borrow(|session| {
        let closed = || InputError::without_place("no gallery is open");
        make(session.as_ref().ok_or_else(closed)?, &request, &ends)
    });
    let wrong = made.is_err();
    OUTPUT.set(made.unwrap_or_else(|error| Session::told(&error, &request)));
    u32::from(wrong)
}
