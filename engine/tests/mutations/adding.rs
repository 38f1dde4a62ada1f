//! Checks that the code on the page about adding a behavior compiles.

use std::fs;
use std::path::Path;

use crate::copies::workspace;

fn pieces(page: &str) -> Vec<(&str, &str)> {
    let blocks = page.split("\n```").skip(1).step_by(2);
    let pieces = blocks.filter_map(|block| {
        let (head, text) = block.split_once('\n')?;
        Some((head.split_once(' ')?.1, text))
    });
    pieces.collect()
}

pub(crate) fn follow_the_page(root: &Path) {
    let page = fs::read_to_string(workspace().join("docs/adding-a-behavior.md")).unwrap();
    let pieces = pieces(&page);
    assert_eq!(pieces.len(), 4);
    for (file, text) in &pieces {
        let path = root.join(file);
        let old = fs::read_to_string(&path).unwrap_or_default();
        let last = "            CollisionAvoidance: collision_avoidance in neighbors,\n";
        let new = match old.split_once(last) {
            Some((before, after)) => format!("{before}{last}{text}\n{after}"),
            None => format!("{old}\n{text}\n"),
        };
        fs::write(path, new).unwrap();
    }
}
