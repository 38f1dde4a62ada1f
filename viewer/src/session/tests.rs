use std::time::Duration;

use flockwork::behaviors::FieldValue;
use flockwork::{StartPlace, Target};

use super::*;
use crate::picture::projection::Angle;
use crate::picture::view::ColorBy;

fn session(name: &str) -> Session {
    Session::named(name)
}

pub(super) fn set(session: &mut Session, change: impl FnOnce(&mut Controls)) {
    let mut wanted = session.controls.clone();
    change(&mut wanted);
    session.set(wanted);
}

pub(super) fn settle(session: &mut Session) {
    while session.building.is_some() {
        session.advance(Duration::ZERO);
    }
}

const A_WHILE: Duration = Duration::from_millis(200);

#[test]
fn time_passes_at_the_time_scale() {
    let mut session = session("flock");
    for _ in 0..30 {
        session.advance(Duration::from_millis(20));
    }
    let steps = session.simulation.tick();
    assert!((34..=36).contains(&steps), "{steps} steps in 0.6 s");
    set(&mut session, |controls| controls.paused = true);
    assert!(!session.advance(Duration::from_secs(1)), "nothing new");
    assert_eq!(session.simulation.tick(), steps);
    assert_eq!(session.idle_time(), None, "nothing will happen by itself");
    session.step_once();
    assert_eq!(session.idle_time(), Some(Duration::ZERO));
    assert!(session.advance(Duration::ZERO));
    assert_eq!(session.simulation.tick(), steps + 1);
}

#[test]
fn every_scene_can_be_opened_in_turn() {
    let mut session = session("stress");
    set(&mut session, |controls| {
        controls.paused = true;
        controls.look.color_by = ColorBy::Species;
    });
    for k in 1..=Scene::names().len() {
        session.switch_scene(1);
        settle(&mut session);
        assert!(
            session.shown.message.starts_with(&session.shown.original.name)
                && session.shown.failure.is_none()
        );
        assert_eq!(session.controls.epoch, k as u32);
        assert!(session.controls.paused && session.controls.look.color_by == ColorBy::Species);
    }
    assert_eq!(session.shown.original.name, "stress");
    session.switch_scene(-1);
    settle(&mut session);
    assert_eq!(Some(session.shown.original.name.as_str()), Scene::names().last());
}

#[test]
fn controls_of_another_scene_are_ignored() {
    let mut session = session("flock");
    let mut late = session.controls.clone();
    late.edits.non_penetration = 3;
    session.open("seek");
    session.set(late);
    assert_eq!(session.simulation.scene().non_penetration, session.shown.original.non_penetration);
}

#[test]
fn a_kept_state_comes_back() {
    let mut session = session("big-shoal");
    session.advance(A_WHILE);
    let hash = session.simulation.state_hash();
    session.save_checkpoint();
    session.advance(A_WHILE);
    assert_ne!(session.simulation.state_hash(), hash);
    session.restore_checkpoint();
    assert_eq!(session.simulation.state_hash(), hash);
}

#[test]
fn a_kept_state_brings_its_scene_and_parameters_back() {
    let mut session = session("flock");
    set(&mut session, |controls| controls.edits.species[0].species.view_distance = 33.0);
    session.save_checkpoint();
    let hash = session.simulation.state_hash();
    set(&mut session, |controls| controls.edits.species[0].species.view_distance = 44.0);
    session.restore_checkpoint();
    assert_eq!(session.controls.edits.species[0].species.view_distance, 33.0);
    session.open("big-shoal");
    session.restore_checkpoint();
    assert_eq!(
        (session.simulation.state_hash(), session.shown.original.name.as_str()),
        (hash, "flock")
    );
    assert_eq!(session.controls.edits.species.len(), 1);
}

#[test]
fn targets_change_at_once_and_starts_on_restart() {
    let mut session = session("sheepdog");
    let aim = Target::Named("dog".into());
    set(&mut session, |controls| {
        for behavior in &mut controls.edits.species[0].species.behaviors {
            let mut fields = behavior.fields();
            for field in &mut fields {
                if let FieldValue::Target(target) = &mut field.value {
                    target.clone_from(&aim);
                }
            }
            behavior.set_fields(fields);
        }
        let place = StartPlace::Circle { center: [700.0, 400.0].into(), radius: 1.0 };
        controls.edits.species[1].species.start.place = place;
    });
    assert_eq!(session.shown.message, "");
    assert!(session.simulation.scene().to_toml().contains(r#"pursuer = "dog""#));
    let dog = |session: &Session| {
        let slot = session.simulation.agents().species.iter().position(|&kind| kind == 1).unwrap();
        session.simulation.agent(session.simulation.agents().id(slot)).unwrap().position
    };
    assert!(dog(&session)[0] < 200.0, "it stays where it is");
    session.restart(None);
    assert!((dog(&session)[0] - 700.0).abs() <= 1.0);
    session.move_point("dog", [500.0, 100.0]);
    assert_eq!(session.new_frame().view.scenery.points["dog"], [500.0, 100.0, 0.0]);
}

#[test]
fn behaviors_can_be_switched_off_and_on() {
    let mut session = session("flock");
    let behaviors = |session: &Session| session.simulation.scene().species[0].behaviors.len();
    set(&mut session, |controls| controls.edits.species[0].enabled[0] = false);
    assert_eq!(behaviors(&session), 3);
    set(&mut session, |controls| controls.edits.species[0].enabled[0] = true);
    assert_eq!(behaviors(&session), 4);
}

#[test]
fn what_the_engine_refuses_is_reported_and_changes_nothing() {
    let mut session = session("flock");
    set(&mut session, |controls| controls.edits.species[0].species.view_distance = f32::NAN);
    assert!(session.shown.message.contains("view_distance"), "{}", session.shown.message);
    assert!(session.controls.edits.species[0].species.view_distance.is_finite());
    set(&mut session, |controls| controls.threads = 0);
    assert!(session.shown.message.contains("threads") && session.controls.threads > 0);
    session.advance(A_WHILE);
    assert!(session.shown.failure.is_none());
}

#[test]
fn scenery_and_smoothing_can_be_switched() {
    let mut session = session("wall-avoidance");
    let walls = session.simulation.walls().len();
    set(&mut session, |controls| controls.edits.standing.walls = false);
    assert_eq!(session.simulation.walls().len(), 0);
    set(&mut session, |controls| controls.edits.standing.walls = true);
    assert_eq!(session.simulation.walls().len(), walls);
    set(&mut session, |controls| controls.edits.heading_samples = Some(5));
    assert!(session.simulation.agents().smoothed_heading(0).is_some());
    set(&mut session, |controls| controls.edits.heading_samples = None);
    assert!(session.simulation.agents().smoothed_heading(0).is_none());
}

#[test]
fn scenery_can_be_switched_in_worlds_sized_by_the_number_of_agents() {
    let mut session = session("heavy");
    session.set_agents(1_000);
    settle(&mut session);
    let all = session.simulation.obstacles().len();
    for (standing, obstacles) in [(false, 0), (true, all)] {
        set(&mut session, |controls| controls.edits.standing.obstacles = standing);
        assert_eq!(session.shown.message, "");
        assert_eq!(session.simulation.obstacles().len(), obstacles);
    }
}

#[test]
fn restarting_keeps_settings_and_scenery() {
    let mut session = session("wall-avoidance");
    set(&mut session, |controls| controls.edits.species[0].enabled[0] = false);
    set(&mut session, |controls| controls.edits.standing.walls = false);
    let scene = session.simulation.scene().clone();
    session.restart(Some(99));
    assert_eq!(session.simulation.scene().seed, 99);
    assert_eq!(session.simulation.scene().species, scene.species);
    assert_eq!(session.simulation.walls().len(), 0);
    set(&mut session, |controls| controls.edits.standing.walls = true);
    assert!(session.simulation.walls().len() > 0);
}

#[test]
fn large_crowds_are_refused_all_pairs() {
    let mut session = session("stress");
    set(&mut session, |controls| controls.paused = true);
    session.set_agents(MAX_ALL_PAIRS_AGENTS + 1);
    settle(&mut session);
    set(&mut session, Controls::toggle_partition);
    assert_ne!(session.simulation.execution().partition, Partition::AllPairs);
    assert!(session.shown.message.contains("300000"), "{}", session.shown.message);
}

#[test]
fn the_number_of_cells_can_be_set_and_seen() {
    let mut session = session("another-big-shoal");
    let mut controls = session.controls.clone();
    controls.look.grid = true;
    session.set(controls.clone());
    let frame = session.new_frame();
    assert_eq!(frame.view.cells[0].rows, 7);
    controls.edits.cell_size = Some(4.0);
    session.set(controls.clone());
    assert_eq!(session.new_frame().view.cells[0].rows, 2);
    controls.edits.cell_size = Some(99.0);
    session.set(controls);
    assert!(session.shown.message.contains("cell_size"), "{}", session.shown.message);
    assert_eq!(session.controls.edits.cell_size, Some(4.0));
}

#[test]
fn agents_are_explained_by_number_and_points_can_be_moved() {
    let mut session = session("seek");
    let id = session.simulation.agents().id(7);
    session.explain(Some(id.index));
    assert_eq!(session.explained, [id]);
    session.explain(Some(1_000_000));
    assert!(session.explained.is_empty());
    session.grab_point([12.0, 34.0]);
    assert_eq!(session.simulation.scene().points["crosshair"], [12.0, 34.0].into());
}

#[test]
fn removed_agents_are_no_longer_explained() {
    let mut session = session("flock");
    session.explain(Some(0));
    session.simulation.remove(session.explained[0]).unwrap();
    let frame = session.new_frame();
    assert!(frame.view.explained.is_empty());
    assert!(frame.view.x.len() < session.shown.original.agents_at_start());
}

#[test]
fn a_state_written_to_a_file_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = session("big-shoal");
    session.advance(A_WHILE);
    let hash = session.simulation.state_hash();
    session.save_snapshot(folder.path());
    let name = format!("flockwork-big-shoal-{}.snapshot", session.simulation.tick());
    let saved = flockwork::Snapshot::load(folder.path().join(name)).unwrap();
    assert_eq!(saved.build().unwrap().state_hash(), hash, "{}", session.shown.message);
}

/// Regression: the first comparison and F5 aborted the viewer if memory was short.
#[cfg(target_os = "linux")]
#[test]
fn without_memory_for_copies_no_state_is_kept_and_nothing_compared() {
    use std::process::{Command, id};
    const LIMITED: &str = "FLOCKWORK_LIMITED";
    // The memory limit applies to a whole process, so this test runs itself in a child process.
    if std::env::var_os(LIMITED).is_none() {
        let mut own = Command::new(std::env::current_exe().unwrap());
        own.args(["--exact", std::thread::current().name().unwrap()]).env(LIMITED, "");
        let output = own.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        return;
    }
    let scene = Scene::named("stress").unwrap().agents(200_000).heading_samples(100);
    let mut session = Session::of(scene.build().unwrap(), Vec::new());
    session.step();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let used = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
    let used: u64 = used.trim().trim_end_matches(" kB").parse().unwrap();
    let limit = format!("--as={}", (used << 10) + (20 << 20));
    let status = Command::new("prlimit").args(["--pid", &id().to_string(), &limit]).status();
    assert!(status.unwrap().success());
    session.save_checkpoint();
    assert!(session.checkpoint.is_none());
    let said = &session.shown.message;
    assert!(said.contains("of memory is needed"), "{said}");
    session.compare_partitions();
    assert!(session.comparison_done && session.shown.comparison.is_none());
}

/// Regression: after a change of the step rate, the panel showed the old number of passes, and
/// entering that number did nothing.
#[test]
fn another_step_rate_shows_its_own_number_of_passes() {
    let scene = Scene::named("big-shoal").unwrap().non_penetration_per_second(480.0);
    let mut session = Session::of(scene.build().unwrap(), Vec::new());
    assert_eq!(session.controls.edits.non_penetration, 8);
    set(&mut session, |controls| controls.edits.steps_per_second = 240.0);
    assert_eq!(session.controls.edits.non_penetration, 2);
    set(&mut session, |controls| controls.edits.non_penetration = 8);
    assert_eq!(session.simulation.scene().passes(), 8);
    assert_eq!(session.simulation.scene().non_penetration_per_second, None);
}

/// Regression: after a crowd grew from one to five million agents, the window showed the old step
/// time for half a minute.
#[test]
fn readings_begin_anew_with_another_setup() {
    let mut session = session("flock");
    let first = session.new_frame();
    let (mut seen, mut crowd) = (first.readings.setups, first.view.crowd);
    let mut renewed = |session: &mut Session, what: &str| {
        let frame = session.new_frame();
        assert!(frame.readings.setups > seen, "{what}");
        let same_crowd = ["threads", "partition"].contains(&what);
        assert_eq!(frame.view.crowd == crowd, same_crowd, "{what}: trails begin anew");
        crowd = frame.view.crowd;
        assert!(frame.step_times.is_empty(), "{what}");
        session.advance(A_WHILE);
        session.advance(A_WHILE);
        let measured = session.new_frame();
        assert!(!measured.step_times.is_empty(), "{what}");
        seen = measured.readings.setups;
        assert_eq!(session.new_frame().readings.setups, seen, "steps change nothing");
    };
    session.set_agents(500);
    renewed(&mut session, "agents");
    set(&mut session, |controls| controls.threads = controls.threads % 2 + 1);
    renewed(&mut session, "threads");
    set(&mut session, Controls::toggle_partition);
    renewed(&mut session, "partition");
    session.restart(None);
    renewed(&mut session, "restart");
    session.save_checkpoint();
    session.open("seek");
    renewed(&mut session, "scene");
    session.restore_checkpoint();
    renewed(&mut session, "kept state");
}

#[test]
fn points_are_led_across_the_seam() {
    let mut session = Session::named("seek");
    session.grab_point([1_012.0, -66.0]);
    assert_eq!(session.simulation.scene().points["crosshair"], [12.0, 534.0].into());
}

#[test]
fn zombies_follow_the_bare_cursor() {
    let mut session = Session::named("zombies");
    session.follow_cursor([120.0, 80.0]);
    assert_eq!(session.simulation.scene().points[CURSOR], [120.0, 80.0].into());
    let before = session.simulation.agents().x.to_vec();
    session.step();
    assert_ne!(session.simulation.agents().x, before);
}

#[test]
fn only_the_point_nearest_to_the_press_is_dragged() {
    let mut session = Session::named("arrive");
    let points = |session: &Session| session.simulation.scene().points.clone();
    let mut expected = points(&session);
    session.grab_point([840.0, 130.0]);
    session.drag_point([850.0, 300.0]);
    session.drag_point([600.0, 470.0]);
    expected.insert("lower".into(), [600.0, 470.0].into());
    assert_eq!(points(&session), expected);
}

#[test]
fn in_a_turned_world_a_point_goes_where_it_was_clicked_at_its_own_distance() {
    let scene = "name = 'sky'
        world = { width = 400.0, height = 300.0, depth = 200.0 }
        points = { near = [100.0, 100.0, 100.0], far = [300.0, 200.0, 50.0] }
        [[species]]
        agents = 3
        behaviors = [{ seek = { target = 'near' } }, { seek = { target = 'far' } }]";
    let scene = Scene::parse(scene, "sky.toml").unwrap();
    let mut session = Session::of(scene.build().unwrap(), Vec::new());
    for angle in [Angle { yaw: 40.0, pitch: 20.0 }, Angle::STRAIGHT_DOWN] {
        session.controls.look.angle = angle;
        let projection = Projection::of(&session.simulation, angle);
        let [x, y, z] = projection.place([110.0, 120.0, 90.0]);
        let before = projection.place(in_space(session.simulation.scene().points["near"]));
        session.grab_point([x, y]);
        assert_eq!(session.shown.message, "");
        let after = projection.place(in_space(session.simulation.scene().points["near"]));
        for (k, expected) in [x, y, before[2]].into_iter().enumerate() {
            assert!((after[k] - expected).abs() < 0.01, "{angle:?} {after:?}, {x} {y} {z}");
        }
        assert_eq!(session.simulation.scene().points["far"][2], 50.0);
    }
}
