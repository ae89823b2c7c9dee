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
