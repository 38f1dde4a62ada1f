//! `docs/guarantees.md` names the test of every promise.

use std::path::Path;

#[test]
fn every_test_that_the_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("docs/guarantees.md")).unwrap();
    let named = text.split('`').filter_map(|quoted| quoted.split_once(".rs: "));
    let mut count = 0;
    for (file, test) in named {
        let code = std::fs::read_to_string(root.join(format!("{file}.rs"))).unwrap();
        assert!(code.contains(&format!("fn {test}(")), "{file}.rs has no test {test}");
        count += 1;
    }
    assert!(count > 30, "{count} tests are named");
}
