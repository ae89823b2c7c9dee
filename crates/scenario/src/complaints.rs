//! Errors of libraries, at their place in the document.

use mechanics::ParameterError;

use crate::input::{InputError, Node, Span, plain, rounded};

/// A library's complaint about a parameter, at the place of its value.
pub(crate) fn at(node: Option<&Node>, error: &ParameterError) -> InputError {
    let ParameterError { name, value, rule } = error;
    let message = format!("`{name}` = {} is not allowed", plain(*value));
    match node {
        Some(node) => InputError::new(&node.span, message, format!("must be {rule}")),
        None => InputError::without_place(format!("{message}: it must be {rule}")),
    }
}

/// Error of time stepping, at the place of the ball.
pub(crate) fn complaint(error: &moreau::InputError, spans: &[Span], several: bool) -> InputError {
    use moreau::InputError as E;
    let name = |ball: usize| if several { format!("ball {}", ball + 1) } else { "the ball".to_owned() };
    match error {
        E::Below { ball, depth } if *ball < spans.len() => {
            let message = format!("{} starts {} m below the ground", name(*ball), plain(rounded(*depth, 6)));
            InputError::new(&spans[*ball], message, "the centre of the ball, at least one radius above the ground")
        }
        E::Overlap { first, second, depth } if *second < spans.len() => {
            let message = format!(
                "{} and {} overlap by {} m at the start",
                name(*first),
                name(*second),
                plain(rounded(*depth, 6))
            );
            InputError::new(&spans[*second], message, format!("ball {} starts here", second + 1))
                .with_help("put their centres at least the sum of their radii apart")
        }
        E::Ball { ball, source } => at(None, source).with_help(format!("it is a value of {}", name(*ball))),
        E::Parameter(source) => at(None, source),
        other => InputError::without_place(other.to_string()),
    }
}
