use proptest::prelude::*;

use super::*;
use crate::world::Topology;

/// Shrinks the item's radius slightly, so that rounding errors cannot decide the result.
fn is_near(space: &Space, wraps: bool, item: &Item, at: Vec3<f32>) -> bool {
    let images: &[f32] = if wraps { &[-1.0, 0.0, 1.0] } else { &[0.0] };
    images.iter().flat_map(|&i| images.iter().map(move |&j| (i, j))).any(|(i, j)| {
        let image = at + Vec3::flat(i * space.size.x, j * space.size.y);
        distance_to_segment(image, item.from, item.to) < item.radius * 0.9999
    })
}

fn point(side: f32) -> impl Strategy<Value = Vec3<f32>> {
    [-0.2 * side..1.2 * side, -0.2 * side..1.2 * side].prop_map(Vec3::from)
}

fn offset() -> impl Strategy<Value = f32> {
    prop_oneof![2 => -0.5_f32..0.5, 1 => Just(-0.5_f32), 1 => Just(0.5_f32)]
}

fn items(side: f32) -> impl Strategy<Value = Vec<Item>> {
    let item = (point(side), point(side), prop::bool::ANY, 0.0_f32..200.0);
    let item = item.prop_map(|(from, end, is_line, radius)| {
        let to = if is_line { end } else { from };
        Item { from, to, radius }
    });
    prop::collection::vec(item, 0..30)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn everything_near_is_listed(
        items in items(700.0),
        wraps in prop::bool::ANY,
        center in [0.0_f32..700.0, 0.0_f32..500.0],
        spread in 0.0_f32..500.0,
        offsets in prop::collection::vec([offset(), offset()], 1..16),
        row in 0.0_f32..100.0,
        turns in [-3_i8..=3, -3_i8..=3],
        room in 0.0_f32..400.0,
    ) {
        let positions: Axes<Vec<f32>> = offsets
            .iter()
            .map(|[dx, dy]| [center[0] + dx * spread, center[1] + dy * spread])
            .map(|[x, y]| Vec3::flat(x.clamp(0.0, 699.9), y.clamp(0.0, 499.9)))
            .collect();
        let wraps = wraps && items.iter().all(|item| item.from == item.to);
        let topology = if wraps { Topology::Torus } else { Topology::Bounded };
        let space = Space::new(topology, 700.0, 500.0);
        let index = Index::new(&space, wraps, &items, row);
        let mut near = Near::default();
        index.near(positions.all(), Aabb::around(positions.all()), &mut near);
        let mut listed = Vec::new();
        near.for_each(|item| listed.push(item as u32));
        prop_assert!(listed.windows(2).all(|pair| pair[0] < pair[1]), "ascending: {:?}", listed);

        let shift = Vec3::flat(700.0 * f32::from(turns[0]), 500.0 * f32::from(turns[1]));
        let shift = if wraps { shift } else { Vec3::ZERO };
        let room = Vec3::flat(room, room * 0.7);
        let around = Aabb::around(positions.all()).expanded(room);
        index.near_box(around.shifted(shift), &mut near);
        let mut in_box = Vec::new();
        near.for_each(|item| in_box.push(item as u32));
        prop_assert!(in_box.is_sorted_by(|a, b| a < b), "ascending: {:?}", in_box);
        prop_assert_eq!(&index.all_in(around.shifted(shift)), &in_box);
        let Aabb { low, high } = around;
        let corners = [low, high, Vec3::flat(low.x, high.y), Vec3::flat(high.x, low.y)];
        for at in positions.all().iter().chain(corners) {
            let at = if wraps { space.wrap_any(at) } else { at };
            for (k, item) in (0..).zip(&items) {
                let is_near = is_near(&space, wraps, item, at);
                prop_assert!(!is_near || in_box.contains(&k), "{k} is not in the box at {at:?}");
            }
        }

        for at in positions.all().iter() {
            index.near(Axes([&[at.x][..], &[at.y], &[]]), Aabb::at(at), &mut near);
            let mut list = Vec::new();
            near.for_each(|item| list.push(item as u32));
            prop_assert!(list.windows(2).all(|pair| pair[0] < pair[1]));
            for (k, item) in (0..).zip(&items) {
                if is_near(&space, wraps, item, at) {
                    prop_assert!(list.contains(&k), "{} is not listed at {:?}", k, at);
                    prop_assert!(listed.contains(&k), "{} is not listed for the batch", k);
                }
            }
        }
    }
}

#[test]
fn lists_stay_short_in_a_large_world() {
    let space = Space::new(Topology::Bounded, 1.0e5, 1.0e5);
    let items: Vec<Item> = (0..10_000)
        .map(|k| Vec3::flat((k % 100) as f32 * 1.0e3, (k / 100) as f32 * 1.0e3))
        .map(|at| Item { from: at, to: at, radius: 100.0 })
        .collect();
    let index = Index::new(&space, false, &items, 50.0);
    let longest = index.starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
    assert!(longest <= 16, "{longest}");
}

/// Regression: the AABB of an empty index had a negative size, so `list_around` found every batch
/// too large for a single list.
#[test]
fn an_empty_index_has_one_empty_list_for_every_batch() {
    let space = Space::new(Topology::Bounded, 700.0, 500.0);
    let index = Index::new(&space, false, &[], 50.0);
    assert_eq!(index.list_around(Aabb { low: Vec3::ZERO, high: space.size }), Some(&[][..]));
}

#[test]
fn a_box_lists_only_items_that_it_may_touch() {
    let at = |k: usize| Vec3::flat((k % 40) as f32 * 50.0 + 25.0, (k / 40) as f32 * 50.0 + 25.0);
    let items: Vec<Item> =
        (0..1_600).map(|k| Item { from: at(k), to: at(k), radius: 5.0 }).collect();
    for topology in [Topology::Torus, Topology::Bounded] {
        let space = Space::new(topology, 2.0e3, 2.0e3);
        let index = Index::new(&space, topology == Topology::Torus, &items, f32::INFINITY);
        let mut near = Near::default();
        for (room, most) in [(20.0, 4), (100.0, 25), (400.0, 324)] {
            let middle = Aabb::at(Vec3::flat(1_003.0, 998.0)).expanded(Vec3::flat(room, room));
            index.near_box(middle, &mut near);
            assert!((1..=most).contains(&near.count), "{room}: {}", near.count);
        }
    }
}

#[test]
fn more_items_than_a_batch_can_list_are_all_near() {
    let space = Space::new(Topology::Bounded, 100.0, 100.0);
    let at = Vec3::flat(50.0, 50.0);
    let items: Vec<Item> =
        (0..MAX_NEAR + 1).map(|_| Item { from: at, to: at, radius: 10.0 }).collect();
    let index = Index::new(&space, false, &items, 50.0);
    let mut near = Near::default();
    let position = Axes([&[50.0][..], &[50.0], &[]]);
    index.near(position, Aabb::around(position), &mut near);
    let mut count = 0;
    near.for_each(|_| count += 1);
    assert_eq!(count, MAX_NEAR + 1);
}

#[test]
fn items_near_the_corners_of_the_widest_batch_are_listed() {
    let space = Space::new(Topology::Bounded, 2.0e3, 2.0e3);
    let items: Vec<Item> = (0..1_600)
        .map(|k| Vec3::flat((k % 40) as f32 * 50.0, (k / 40) as f32 * 50.0))
        .map(|at| Item { from: at, to: at, radius: 20.0 })
        .collect();
    let index = Index::new(&space, false, &items, 30.0);
    let half = index.cell * 0.999;
    for step in 0..400 {
        let center = Vec3::flat(600.0 + (step % 20) as f32 * 5.3, 700.0 + (step / 20) as f32 * 5.3);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
        let corners = corners.map(|(x, y)| center + Vec3::flat(half.x * x, half.y * y));
        let positions: Axes<Vec<f32>> = corners.into_iter().collect();
        let mut near = Near::default();
        index.near(positions.all(), Aabb::around(positions.all()), &mut near);
        let mut listed = Vec::new();
        near.for_each(|item| listed.push(item));
        for at in corners {
            for (k, item) in items.iter().enumerate() {
                let is_near = is_near(&space, false, item, at);
                assert!(!is_near || listed.contains(&k), "{k} is missing at {at:?}");
            }
        }
    }
}

#[test]
fn long_walls_fill_no_more_lists_than_there_is_room_for() {
    let space = Space::new(Topology::Bounded, 900.0, 600.0);
    let across = |k: u16| Item {
        from: Vec3::flat(0.0, f32::from(k) * 0.01),
        to: Vec3::flat(900.0, 600.0 - f32::from(k) * 0.01),
        radius: 1.0,
    };
    let walls: Vec<Item> = (0..60_000).map(across).collect();
    let index = Index::new(&space, false, &walls, 1.0);
    assert!((index.lists.len() as f64) < MAX_LISTED, "{}", index.lists.len());
}
