use crate::common::{at, read};

/// The (file, test) pairs that a page names: as `file.rs: test` in text, and as `file.rs`: `test`,
/// `test` in lists.
fn named(page: &str) -> Vec<(&str, &str)> {
    let single = page.split('`').filter_map(|quoted| quoted.split_once(".rs: "));
    let items = page.split("\n- `").skip(1).filter_map(|rest| {
        let item = rest.split("\n\n").next().unwrap();
        item.split_once(".rs`: ")
    });
    let listed = items.flat_map(|(file, tests)| {
        let tests = tests.split('`').skip(1).step_by(2);
        tests.map(move |test| (file, test))
    });
    single.chain(listed).collect()
}

#[test]
fn every_test_that_the_page_names_exists() {
    let page = read(at("docs/guarantees.md"));
    let named = named(&page);
    for (file, test) in &named {
        let code = read(at(&format!("{file}.rs")));
        assert!(code.contains(&format!("fn {test}(")), "{file}.rs has no test {test}");
    }
    assert!(named.len() > 60, "{} tests are named", named.len());
}
