//! `judge`: entries of others, and ours.

use crate::common::Place;

const HEADER: &str = "case,setting,quantity,index,value\n";

#[test]
fn an_entry_is_judged_and_a_broken_one_is_not() {
    let place = Place::new();
    std::fs::create_dir(place.path("entry")).unwrap();
    place.write("entry/about.toml", "name = \"A pendulum\"\nversion = \"0.2\"\n");
    place.write("entry/answers.csv", format!("{HEADER}6,rk4,x,1,0.5\n6,rk4,lambda,1,n/a\n4a,rk4,impact,,none\n"));
    let outcome = place.kugelbahn(&["judge", "entry"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(
        outcome.stdout.contains("A pendulum 0.2") && outcome.stdout.contains("impact: 1 of 1 missed"),
        "{}",
        outcome.stdout
    );
    place.write("entry/answers.csv", format!("{HEADER}6,rk4,x,1,0.5\n6,rk4,x,1\n"));
    let outcome = place.kugelbahn(&["judge", "entry"]);
    assert!(outcome.code == 2 && outcome.stdout.is_empty(), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("line 3: it has 4 of 5 fields"), "{}", outcome.stderr);
    assert_eq!(place.kugelbahn(&["judge", "nowhere"]).code, 2);
    assert_eq!(place.kugelbahn(&["judge", "--ours", "guess"]).code, 2);
}

/// Several entries: one look, then each; figures of what is wrong, which go when it is right.
#[test]
fn several_entries_stand_beside_each_other_and_what_is_wrong_is_drawn() {
    let place = Place::new();
    for (name, depth) in [("one", "-4.5"), ("two", "0")] {
        std::fs::create_dir(place.path(name)).unwrap();
        place.write(&format!("{name}/about.toml"), format!("name = \"Program {name}\"\n"));
        place.write(&format!("{name}/answers.csv"), format!("{HEADER}1,a,y,5,{depth}\n1,a,path,10.3,{depth}\n"));
    }
    let outcome = place.kugelbahn(&["judge", "one", "two", "--out", "drawn"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let both = ["| Program one | a | falls |", "| Program two | a | 1/33: 0 |", "## Program one", "## Program two"];
    assert!(both.iter().all(|row| outcome.stdout.contains(row)), "{}", outcome.stdout);
    let drawn = std::fs::read_to_string(place.path("drawn/case-1.svg")).unwrap();
    assert!(drawn.contains("Program one, a") && place.path("drawn/programs.svg").exists());
    assert_eq!(place.kugelbahn(&["judge", "two", "--out", "drawn"]).code, 0);
    assert!(!place.path("drawn/case-1.svg").exists() && !place.path("drawn/programs.svg").exists());
    place.write("two/answers.csv", format!("{HEADER}1,a,y,5,zero\n"));
    let outcome = place.kugelbahn(&["judge", "one", "two"]);
    assert!(outcome.code == 2 && outcome.stderr.contains("two: answers.csv"), "{}", outcome.stderr);
}
