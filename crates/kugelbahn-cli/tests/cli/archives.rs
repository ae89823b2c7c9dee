//! Projects of Tracker in their archives, and archives that are not what they say.

use crate::common::archive::{Packed, zip};
use crate::formats::{project, read, refused};

fn film() -> Packed {
    Packed::new("videos/ball.mp4", vec![7; 100_000])
}

fn ball() -> Packed {
    Packed::new("ball.TRK", project(&["mass A"], 7.0, 200.0))
}

#[test]
fn the_project_of_an_archive_is_read() {
    let told = ["is a zip archive: ball.TRK in it is read", "ball `mass A`, 50 frames per second"];
    read(zip(&[film(), ball(), Packed::new("__MACOSX/._ball.trk", "")]), &[], &told);
    read(zip(&[Packed { method: 0, ..ball() }]), &[], &told);
}

#[test]
fn other_archives_are_refused_with_what_to_do() {
    let sound = zip(&[film(), ball()]);
    refused(zip(&[film()]), &["zip archive without a project (.trk) in it", "unpack it, and give the table"]);
    refused(zip(&[ball(), Packed::new("films/b.trk", "")]), &["with several: `ball.TRK`, `b.trk`", "give one of them"]);
    refused(zip(&[Packed { method: 14, ..ball() }]), &["ball.TRK is packed by method 14", "unpack it"]);
    let at = sound.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    let mut encrypted = zip(&[ball()]);
    let item = encrypted.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    encrypted[item + 8] = 1;
    refused(encrypted, &["ball.TRK is encrypted"]);
    // What was cut or changed on its way is not read as another motion.
    let whole = ["can't be read", "download or pack it again"];
    for cut in [4, 30, at, at + 20, sound.len() - 20] {
        refused(&sound[..cut], &whole);
    }
    for changed in [at - 100, at - 3] {
        let mut other = sound.clone();
        other[changed] ^= 0x10;
        refused(other, &whole);
    }
}

/// Bombs: more than is said, more than is allowed, more elements than a project has.
#[test]
fn bombs_are_refused() {
    let blanks = |count: usize| Packed { bytes: vec![b' '; count], ..ball() };
    refused(zip(&[Packed { said: Some(100), ..blanks(60 << 20) }]), &["does not unpack to what was packed"]);
    refused(zip(&[blanks(49 << 20)]), &["ball.TRK in it is larger than 48 MiB", "export the table"]);
    let wide = project(&["A"], 0.0, 200.0).replace("<property name=\"videoclip\"", &"<a/>".repeat(1_000_000));
    refused(zip(&[Packed::new("ball.trk", wide)]), &["no XML that can be read"]);
    // A list that says it is longer than the file.
    let mut many = zip(&[ball()]);
    let size = many.len() - 7 - 2 - 8;
    many[size..size + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    read(many, &[], &[]);
}
