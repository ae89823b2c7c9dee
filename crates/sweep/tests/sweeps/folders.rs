//! A folder is one sweep's; what is damaged is found.

use std::sync::Arc;

use sweep::{Request, Store, SweepError, merge, status, verify};

use crate::{HILLS, make, strings, sweep_of};

fn request() -> Request {
    Request { vary: strings(&["contact.restitution=0.1..0.9/40"]), observe: strings(&["end.x"]), ..Request::default() }
}

#[test]
fn a_folder_of_another_sweep_is_refused_and_nothing_touched() {
    let folder = tempfile::tempdir().unwrap();
    make(&sweep_of(HILLS, request()).unwrap(), folder.path(), 1, 1);
    let files = || {
        let mut files: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name(), entry.metadata().unwrap().modified().unwrap()))
            .collect();
        files.sort();
        files
    };
    let before = files();
    let others = [
        (HILLS.replace("0.3, 0.0", "0.4, 0.0"), request(), "scenario"),
        (HILLS.to_owned(), Request { seed: 1, ..request() }, "option --seed"),
        (HILLS.to_owned(), Request { observe: strings(&["end.y"]), ..request() }, "option --observe"),
        (HILLS.to_owned(), Request { chunk: Some(7), ..request() }, "option --chunk"),
    ];
    for (text, request, differs) in others {
        match Store::open(folder.path(), &sweep_of(&text, request).unwrap()) {
            Err(SweepError::Other { what, .. }) => assert_eq!(what, differs),
            other => panic!("{other:?}"),
        }
    }
    assert!(files() == before);
}

#[test]
fn what_is_damaged_or_missing_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = sweep_of(HILLS, request()).unwrap();
    make(&sweep, folder.path(), 1, 2);
    let read = || Store::read(&[folder.path().to_path_buf()]).unwrap().0;
    let found = verify(&sweep, &read(), 0).unwrap();
    assert!(found.chunks == 40 && found.missing == 0 && found.runs >= 1, "{found:?}");
    let file = folder.path().join("runs-000007.csv");
    let whole = std::fs::read_to_string(&file).unwrap();
    // A digit, the length the same: by hash. A row that is wrong, with its own hash: by making it again.
    let digit = whole.rfind('1').unwrap();
    let mut wrong = whole.clone();
    wrong.replace_range(digit..=digit, "2");
    std::fs::write(&file, &wrong).unwrap();
    assert!(
        matches!(verify(&sweep, &read(), 0), Err(SweepError::Damaged { file, .. }) if file.ends_with("runs-000007.csv"))
    );
    let out = tempfile::tempdir().unwrap();
    let merged = out.path().join("all.csv");
    assert!(matches!(merge(&sweep.layout, &read(), "runs", &merged), Err(SweepError::Damaged { .. })));
    assert!(!merged.exists(), "nothing half");
    // Cut short: the chunk counts as missing, and is made again.
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(status(&sweep.layout, &read()).unwrap().missing, [(7, 7)]);
    assert!(matches!(
        merge(&sweep.layout, &read(), "runs", &merged),
        Err(SweepError::Unfinished { missing: 1, first: 7, .. })
    ));
    make(&sweep, folder.path(), 1, 1);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);
    // Not onto its own files.
    assert!(merge(&sweep.layout, &read(), "runs", &file).is_err());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);
    let record = folder.path().join("chunk-000000.json");
    let first = folder.path().join("runs-000000.csv");
    let rows = std::fs::read_to_string(&first).unwrap();
    let exit = rows.rfind(",end,").unwrap();
    let altered = format!("{},slot,{}", &rows[..exit], &rows[exit + 5..]);
    let text = std::fs::read_to_string(&record).unwrap();
    let text = text.replace(&hex(&rows), &hex(&altered)).replace(&rows.len().to_string(), &altered.len().to_string());
    std::fs::write(&first, &altered).unwrap();
    std::fs::write(&record, &text).unwrap();
    assert!(
        matches!(verify(&sweep, &read(), 0), Err(SweepError::Damaged { file, .. }) if file.ends_with("chunk-000000.json"))
    );
    // With the record's own hash, too.
    std::fs::write(&record, rehashed(&text)).unwrap();
    match verify(&sweep, &read(), 0) {
        Err(SweepError::Differs { index: 0, column }) => assert_eq!(column, "exit"),
        other => panic!("{other:?}"),
    }
    // Two folders with other rows of the same chunk are not merged.
    let whole = tempfile::tempdir().unwrap();
    make(&sweep, whole.path(), 1, 1);
    let both = Store::read(&[whole.path().to_owned(), folder.path().to_owned()]).unwrap().0;
    match merge(&sweep.layout, &both, "runs", &merged) {
        Err(SweepError::Damaged { what, .. }) => assert!(what.contains("not those of this chunk in"), "{what}"),
        other => panic!("{other:?}"),
    }
}

/// A record with the hash of what it says.
fn rehashed(text: &str) -> String {
    let from = text.rfind("sha256\": \"").unwrap() + "sha256\": \"".len();
    let (begin, end) = (&text[..from], &text[from + 64..]);
    format!("{begin}{}{end}", hex(&format!("{begin}{end}")))
}

fn hex(text: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Rows of two grounds are two sweeps, also where only a file that the scenario or a value names has changed.
#[test]
fn files_that_changed_are_another_sweep() {
    let files = tempfile::tempdir().unwrap();
    let table = |height: f64| {
        let text = format!("x,y\n-1,0.5\n0,{height:?}\n1,0.5\n2,0.2\n");
        std::fs::write(files.path().join("points.csv"), text).unwrap();
    };
    let curve = "kind = 'csv'\nfile = 'points.csv'\nas = 'spline'\n";
    std::fs::write(files.path().join("drawn.toml"), curve).unwrap();
    std::fs::write(files.path().join("flat.toml"), "kind = 'graph'\ny = 0\n").unwrap();
    let scenario = |curve: &str| format!("initial.position = [0.1, 1]\nsolver.duration = 1\nground.curve = '{curve}'");
    let words = Request { vary: strings(&["ground.curve=flat.toml,drawn.toml"]), ..request() };
    for (curve, request) in [("drawn.toml", request()), ("flat.toml", words)] {
        let read = || {
            let document = scenario::Document::from_text(&scenario(curve), files.path(), &[], &Arc::default()).unwrap();
            sweep::Sweep::new(document, request.clone()).unwrap()
        };
        table(0.1);
        let folder = tempfile::tempdir().unwrap();
        make(&read(), folder.path(), 2, 1);
        assert!(Store::open(folder.path(), &read()).is_ok());
        table(0.11);
        match Store::open(folder.path(), &read()) {
            Err(SweepError::Other { what, .. }) => assert_eq!(what, "scenario with its files"),
            other => panic!("{other:?}"),
        }
    }
}

/// Of two sweeps that begin in one new folder at once, one goes on.
#[test]
fn two_sweeps_begin_at_once() {
    let sweeps = [0.4, 0.5].map(|to| {
        let vary = strings(&[&format!("contact.restitution=0.1..{to}/40")]);
        sweep_of(HILLS, Request { vary, ..request() }).unwrap()
    });
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        let open = |sweep: &sweep::Sweep| Store::open(&path, sweep).is_ok();
        let opened = std::thread::scope(|scope| {
            let other = scope.spawn(|| open(&sweeps[1]));
            [open(&sweeps[0]), other.join().unwrap()]
        });
        assert_eq!(opened.iter().filter(|opened| **opened).count(), 1);
    }
}

/// Commands that come to a folder together wait for each other's look at it.
#[test]
fn shards_come_together() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = sweep_of(HILLS, request()).unwrap();
    make(&sweep, folder.path(), 1, 1);
    std::thread::scope(|scope| {
        let open = || (0..20).all(|_| Store::open(folder.path(), &sweep).is_ok());
        let all: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
        assert!(all.into_iter().all(|one| one.join().unwrap()));
    });
}
