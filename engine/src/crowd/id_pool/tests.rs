use super::*;

#[test]
fn removals_keep_the_table_of_slots_right() {
    let mut pool = IdPool::default();
    let ids: Vec<AgentId> = (0..200).map(|slot| pool.add(slot)).collect();
    let mut indices: Vec<u32> = (0..200).rev().collect();
    let mut draw = 12345_usize;
    while !indices.is_empty() {
        draw = draw.wrapping_mul(1_103_515_245).wrapping_add(12345) % (1 << 31);
        let slot = [draw % indices.len(), indices.len() - 1, 0][indices.len() % 3];
        if indices.len().is_multiple_of(17) {
            indices.reverse();
            pool.outdate_slots();
        }
        let id = ids[indices[slot] as usize];
        if !indices.len().is_multiple_of(5) {
            assert_eq!(pool.slot(id, &indices), Ok(slot));
        }
        indices.swap_remove(slot);
        pool.remove(id, slot, indices.get(slot).copied());
        for &id in &ids {
            let expected = indices.iter().position(|&index| index == id.index);
            // A lookup rebuilds an outdated table. Skip some, to test consecutive removals.
            if indices.len().is_multiple_of(2) {
                assert_eq!(pool.slot(id, &indices).ok(), expected);
            }
        }
    }
}

/// Regression: a new agent outdated the table, so adding n agents and looking each up took O(n²).
#[test]
fn new_agents_keep_the_table_of_slots_current() {
    let mut pool = IdPool::full(3);
    let mut indices = vec![2, 0, 1];
    assert_eq!(pool.slot(AgentId { index: 2, generation: 0 }, &indices), Ok(0));
    pool.remove(AgentId { index: 2, generation: 0 }, 0, Some(1));
    indices = vec![1, 0];
    for slot in 2..5 {
        let id = pool.add(slot);
        indices.push(id.index);
        assert!(pool.slots.current().is_some());
        assert_eq!(pool.slot(id, &indices), Ok(slot));
    }
    assert_eq!(indices, [1, 0, 2, 3, 4]);
}

/// Regression: a target agent that was removed cost a table of all slots in every step.
#[test]
fn looking_up_a_removed_agent_builds_no_table() {
    let mut pool = IdPool::full(3);
    let removed = AgentId { index: 2, generation: 0 };
    pool.retire(removed);
    assert!(pool.slot(removed, &[0, 1]).is_err());
    assert!(pool.slots.current().is_none());
}

/// Every slab stores the generations of the whole crowd,
/// which may have hundreds of millions of agents.
#[test]
fn generations_take_memory_only_near_indices_given_out_again() {
    let mut pool = IdPool::full(10_000_000);
    for index in [7, 8, 9_999_999] {
        pool.retire(pool.id(index));
    }
    assert_eq!(pool.repeated().collect::<Vec<_>>(), [(7, 1), (8, 1), (9_999_999, 1)]);
    assert_eq!(pool.add(0), AgentId { index: 9_999_999, generation: 1 });
    assert!(pool.bytes() < 500_000, "{} bytes", pool.bytes());
}

#[test]
fn memory_for_sparse_reused_indices_is_known_before_it_is_allocated() {
    let indices = [7, 8, 511, 512, 100_000, 100_001, 9_999_999];
    let pool = IdPool::with_repeated(10_000_000, indices.map(|index| (index, 1)), Vec::new());
    let pages = pool.generations.iter().flatten().count();
    assert_eq!(pages, 4);
    let bytes = IdPool::bytes_with_repeated(indices.into_iter());
    assert_eq!(bytes, (pages * size_of::<[u32; PAGE]>()) as u64);
}
