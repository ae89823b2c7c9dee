//! `kugelbahn live`: the page of a run, with the engine behind it on this machine alone.

mod gallery;
mod http;
mod run_time_limit;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use kugelbahn::input::InputError;
use kugelbahn::output::print;

use crate::Methods;
use crate::console::CommandFailure;
use session::Session;

use http::{HttpAnswer, HttpRequest, serve};
use run_time_limit::patience;

#[derive(clap::Args)]
pub struct LiveArgs {
    /// The scenario file (TOML)
    scenario: PathBuf,
    /// The port on 127.0.0.1; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Set a value of the scenario, e.g. contact.restitution=0.3 (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
}

pub fn run_live(args: &LiveArgs, methods: &Arc<Methods>) -> Result<(), CommandFailure> {
    // What is wrong with the scenario is told here, not in the page.
    let session = gallery::session(&args.scenario, &args.settings, methods);
    session.page()?;
    let place = (Ipv4Addr::LOCALHOST, args.port);
    let failed = |error: std::io::Error| {
        InputError::without_place(format!("can't listen on 127.0.0.1:{}: {error}", args.port))
            .with_help("choose another --port")
    };
    let listener = TcpListener::bind(place).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let token = token();
    crate::signals::at_first_signal(|| std::process::exit(0));
    print(&format!("http://127.0.0.1:{port}/?token={token}\nopen this link in a browser; Ctrl-C ends\n"))?;
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let jobs = desk(session);
    serve(&listener, move |request| answer(&jobs, request, &hosts, &token));
    Ok(())
}

/// A request, and who waits for its answer.
type Job = (HttpRequest, Sender<HttpAnswer>);

/// Starts the thread that makes the runs, one at a time: this machine may have other work, and each run takes the
/// memory that the one before gave back.
fn desk(session: Session) -> Sender<Job> {
    let (jobs, next) = channel::<Job>();
    std::thread::spawn(move || {
        for (request, reply) in next.into_iter().filter(|(request, _)| request.waits()) {
            let _ = reply.send(made(&session, &request));
        }
    });
    jobs
}

/// 128 bits from the system's random numbers, by way of the standard library's hasher.
fn token() -> String {
    let half = || RandomState::new().hash_one(0_u8);
    format!("{:016x}{:016x}", half(), half())
}

fn answer(jobs: &Sender<Job>, request: HttpRequest, hosts: &[String; 2], token: &str) -> HttpAnswer {
    // Another name for this address is another site that had it looked up.
    let host = request.header("host").is_some_and(|host| hosts.iter().any(|known| known == host));
    let origin =
        request.header("origin").is_none_or(|origin| hosts.iter().any(|host| origin == format!("http://{host}")));
    let told = request.header("x-token").or(request.query.strip_prefix("token="));
    if !host || !origin || told != Some(token) {
        return HttpAnswer::text(403, "open the link that `kugelbahn live` printed\n");
    }
    let (reply, answer) = channel();
    let made = jobs.send((request, reply)).ok().and_then(|()| answer.recv().ok());
    made.unwrap_or_else(|| HttpAnswer::text(503, "busy, come again\n"))
}

fn made(session: &Session, request: &HttpRequest) -> HttpAnswer {
    let ends = patience(|| request.waits());
    let (made, kind) = match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/") => (session.page().map(String::into_bytes), "text/html; charset=utf-8"),
        ("POST", "/run") => (session.data(&request.body, &ends), "application/octet-stream"),
        ("POST", "/figures") => (session.figures(&request.body, &ends), "text/plain"),
        _ => return HttpAnswer::text(404, "there is nothing here\n"),
    };
    match made {
        Ok(body) => HttpAnswer { status: 200, kind, body },
        Err(error) => HttpAnswer { status: 422, kind: "application/json", body: Session::told(&error, &request.body) },
    }
}
