use crate::scene::Scene;

#[test]
fn a_query_and_the_step_after_it_share_one_sort_and_its_memory() {
    let mut crowd = Scene::named("flock").unwrap().agents(200).build().unwrap();
    crowd.run(2).unwrap();
    assert!(crowd.workspace.sorted.current().is_none(), "a step outdates the copy");
    crowd.cells();
    let copy = std::ptr::from_ref(crowd.sorted());

    // Clear the list of sources. If it is still empty later, nothing has sorted the crowd again.
    crowd.workspace.sorted.current_mut().unwrap().sorter.sources_mut().clear();
    crowd.cells();
    let taken = crowd.take_sorted_copy();
    assert!(taken.sorter.sources().is_empty(), "sorted once");
    assert!(std::ptr::eq(&raw const *taken, copy));

    crowd.workspace.sorted.put_outdated(taken);
    crowd.step().unwrap();
    assert!(std::ptr::eq(crowd.sorted(), copy), "the step and the next query reuse the copy");
}
