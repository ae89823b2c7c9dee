//! HTTP/1.1, as much of it as one page on this machine needs. Every request is bounded in bytes and time, and answered
//! on a connection of its own. `httparse` reads the head.

use std::io::{Error, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of a request's head, and of its body.
const MOST: [usize; 2] = [16 << 10, 64 << 10];
/// Time after which a request that is not complete is dropped, and an answer that is not taken: clients are on this
/// machine, and fast.
const PATIENCE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(10)];
/// Connections served at once, and waiting; more are told to come again. Most of them only wait for bytes.
const WORKERS: usize = 32;
const WAITING: usize = 64;

pub struct HttpRequest {
    pub method: String,
    /// Path, without the query.
    pub path: String,
    /// Query, after the `?`.
    pub query: String,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Connection it came by, to hear whether anybody waits there.
    from: Option<TcpStream>,
    /// Whether an interim answer was sent because the client sends no more.
    asked: AtomicBool,
}

impl HttpRequest {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Whether somebody still waits for the answer: the connection is open.
    pub fn waits(&self) -> bool {
        let Some(mut stream) = self.from.as_ref() else { return true };
        let heard = stream.set_nonblocking(true).and_then(|()| stream.peek(&mut [0]));
        let waits = match heard {
            Ok(1..) => true,
            // The client sends no more: if it is gone, it refuses an interim answer (RFC 9110, section 15.2); if it
            // only waits, it does not.
            Ok(0) if !self.asked.swap(true, Relaxed) => stream.write_all(b"HTTP/1.1 102 Processing\r\n\r\n").is_ok(),
            Ok(0) => matches!(stream.take_error(), Ok(None)),
            Err(error) => error.kind() == ErrorKind::WouldBlock,
        };
        waits && stream.set_nonblocking(false).is_ok()
    }
}

pub struct HttpAnswer {
    pub status: u16,
    pub kind: &'static str,
    pub body: Vec<u8>,
}

impl HttpAnswer {
    pub fn text(status: u16, text: &str) -> Self {
        HttpAnswer { status, kind: "text/plain; charset=utf-8", body: text.as_bytes().to_vec() }
    }
}

/// Answers all requests, for ever.
pub fn serve(listener: &TcpListener, answer: impl Fn(HttpRequest) -> HttpAnswer + Send + Sync + 'static) {
    let (give, take) = sync_channel::<TcpStream>(WAITING);
    let (take, answer) = (Arc::new(Mutex::new(take)), Arc::new(answer));
    for _ in 0..WORKERS {
        let (take, answer) = (take.clone(), answer.clone());
        std::thread::spawn(move || {
            loop {
                let next = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok(mut stream) = next else { return };
                let answered = match read(&mut stream).map_err(|error| error.kind()) {
                    Ok(request) => answer(request),
                    Err(ErrorKind::FileTooLarge) => HttpAnswer::text(413, "the request is too large\n"),
                    Err(ErrorKind::InvalidData) => HttpAnswer::text(400, "no request of HTTP/1.1\n"),
                    Err(_) => continue,
                };
                let _ = write(&mut stream, &answered);
            }
        });
    }
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Too many files are open: some will be closed.
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        match give.try_send(stream) {
            Ok(()) => {}
            Err(TrySendError::Full(mut stream)) => {
                let _ = write(&mut stream, &HttpAnswer::text(503, "busy, come again\n"));
            }
            Err(TrySendError::Disconnected(_)) => return,
        }
    }
}

fn read(stream: &mut TcpStream) -> Result<HttpRequest, Error> {
    let until = Instant::now() + PATIENCE[0];
    let mut bytes = Vec::new();
    let (mut request, from, length) = loop {
        more(stream, &mut bytes, until)?;
        if let Some(head) = head(&bytes)? {
            break head;
        }
        if bytes.len() > MOST[0] {
            return Err(ErrorKind::FileTooLarge.into());
        }
    };
    if length > MOST[1] {
        return Err(ErrorKind::FileTooLarge.into());
    }
    while bytes.len() < from + length {
        more(stream, &mut bytes, until)?;
    }
    request.body = bytes[from..from + length].to_vec();
    request.from = Some(stream.try_clone()?);
    Ok(request)
}

/// Reads some bytes more, before a time.
fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>, until: Instant) -> Result<(), Error> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut part = [0; 8192];
    match stream.read(&mut part)? {
        0 => Err(ErrorKind::UnexpectedEof.into()),
        count => {
            bytes.extend_from_slice(&part[..count]);
            Ok(())
        }
    }
}

/// The head, if it is whole: the request, where its body begins, and how long that is.
fn head(bytes: &[u8]) -> Result<Option<(HttpRequest, usize, usize)>, Error> {
    let wrong = || Error::from(ErrorKind::InvalidData);
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut parsed = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(from) = parsed.parse(bytes).map_err(|_| wrong())? else { return Ok(None) };
    let (Some(method), Some(target)) = (parsed.method, parsed.path) else { return Err(wrong()) };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let text = |value: &[u8]| String::from_utf8_lossy(value).trim().to_owned();
    let headers: Vec<(String, String)> =
        parsed.headers.iter().map(|header| (header.name.to_owned(), text(header.value))).collect();
    let (method, path, query) = (method.to_owned(), path.to_owned(), query.to_owned());
    let request =
        HttpRequest { method, path, query, headers, body: Vec::new(), from: None, asked: AtomicBool::new(false) };
    // Programs differ in which of two equal headers they read.
    let twice = |name: &str| request.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name)).count() > 1;
    let ambiguous = ["host", "content-length", "origin", "x-token"].into_iter().any(twice);
    if ambiguous || request.header("transfer-encoding").is_some() {
        return Err(wrong());
    }
    let digits = request.header("content-length").unwrap_or("0");
    let length = digits.parse().ok().filter(|_| !digits.starts_with('+')).ok_or_else(wrong)?;
    Ok(Some((request, from, length)))
}

fn write(stream: &mut TcpStream, answer: &HttpAnswer) -> Result<(), Error> {
    let reason = match answer.status {
        200 => "OK",
        403 => "Forbidden",
        404 => "Not Found",
        422 => "Unprocessable Content",
        _ => "Error",
    };
    let head = format!(
        "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\n\r\n",
        answer.status,
        answer.kind,
        answer.body.len()
    );
    stream.set_write_timeout(Some(PATIENCE[1]))?;
    stream.write_all(head.as_bytes())?;
    stream.write_all(&answer.body)?;
    stream.flush()
}
