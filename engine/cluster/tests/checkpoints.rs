//! Checkpoints are complete or ignored, intact or refused with the name of the faulty file, and can
//! resume on any number of ranks.

use std::fs;
use std::path::{Path, PathBuf};

use flockwork::slab::Slab;
use flockwork::{Scene, Simulation, Snapshot};
use flockwork_cluster::checkpoint::{Checkpoint, check_free, save};
use flockwork_cluster::rank::Rank;
use flockwork_cluster::transport::Transport;
use flockwork_cluster::transport::threads::run;

/// A crowd with own targets, smoothed headings and a removed agent.
fn crowd(steps: u64) -> Simulation {
    crowd_without(3, steps)
}

fn crowd_without(slot: usize, steps: u64) -> Simulation {
    let mut crowd = Scene::named("heavy").unwrap().agents(500).build().unwrap();
    crowd.run(steps).unwrap();
    let id = crowd.agents().id(slot);
    crowd.remove(id).unwrap();
    crowd
}

fn save_in_parts(directory: &Path, crowd: &Simulation, ranks: usize) {
    let snapshot = crowd.snapshot();
    run(ranks, |transport| {
        let slab = Slab::from_snapshot(&snapshot, transport.rank(), ranks).unwrap();
        save(directory, &slab, crowd.state_hash(), transport)
    })
    .unwrap();
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn only_part(directory: &Path, number: usize) -> PathBuf {
    let folder = directory.join(&names(directory)[0]);
    folder.join(format!("part-{number:05}"))
}

#[test]
fn parts_joined_are_the_snapshot_of_one_host() {
    let directory = tempfile::tempdir().unwrap();
    let crowd = crowd(30);
    save_in_parts(directory.path(), &crowd, 4);
    let checkpoint = Checkpoint::latest(directory.path()).unwrap();
    assert_eq!(checkpoint.manifest.tick, 30);
    assert_eq!(checkpoint.manifest.state_hash, format!("{:016x}", crowd.state_hash()));
    assert_eq!(checkpoint.manifest.agents, [124, 125, 125, 125]);
    assert_eq!(checkpoint.join().unwrap().to_bytes(), crowd.snapshot().to_bytes());
}

#[test]
fn any_number_of_ranks_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let crowd = crowd(30);
    save_in_parts(directory.path(), &crowd, 3);
    let checkpoint = Checkpoint::latest(directory.path()).unwrap();
    for ranks in [1, 2, 5, 600] {
        let parts = (0..ranks).map(|number| checkpoint.slab(number, ranks).unwrap().part());
        let joined = Snapshot::join(&parts.collect::<Vec<_>>()).unwrap();
        assert_eq!(joined.to_bytes(), crowd.snapshot().to_bytes(), "{ranks} ranks");
    }
}

#[test]
fn two_complete_checkpoints_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    for steps in [1, 2, 3] {
        save_in_parts(directory.path(), &crowd(steps), 2);
    }
    assert_eq!(names(directory.path()), ["step-000000000002", "step-000000000003"]);
    save_in_parts(directory.path(), &crowd(3), 1);
    let latest = Checkpoint::latest(directory.path()).unwrap();
    assert_eq!(latest.join().unwrap().to_bytes(), crowd(3).snapshot().to_bytes());
    let earlier = Checkpoint::latest(&directory.path().join("step-000000000002")).unwrap();
    assert_eq!(earlier.manifest.tick, 2);
}

#[test]
fn a_checkpoint_without_its_manifest_is_ignored_and_later_removed() {
    let directory = tempfile::tempdir().unwrap();
    save_in_parts(directory.path(), &crowd(1), 2);
    let broken_off = directory.path().join("step-000000000002");
    fs::create_dir(&broken_off).unwrap();
    fs::write(broken_off.join("part-00000"), b"half a part").unwrap();
    assert_eq!(Checkpoint::latest(directory.path()).unwrap().manifest.tick, 1);
    save_in_parts(directory.path(), &crowd(3), 2);
    assert_eq!(names(directory.path()), ["step-000000000001", "step-000000000003"]);
}

#[test]
fn a_missing_damaged_or_foreign_part_is_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    save_in_parts(directory.path(), &crowd(5), 3);
    let path = only_part(directory.path(), 1);
    let refusal = || {
        let checkpoint = Checkpoint::latest(directory.path()).unwrap();
        // The first of three ranks needs only intact parts, so its slab still loads.
        checkpoint.slab(0, 3).unwrap();
        let joined = checkpoint.join().unwrap_err().to_string();
        let refused = checkpoint.slab(1, 3).map(drop).unwrap_err().to_string();
        assert_eq!(joined, refused);
        assert!(refused.contains("part-00001"), "{refused}");
        refused
    };
    let sound = fs::read(&path).unwrap();
    let mut damaged = sound.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&path, damaged).unwrap();
    assert!(refusal().contains("checksum"));
    fs::write(&path, &sound[..sound.len() / 2]).unwrap();
    assert!(refusal().contains("bytes should follow"));
    fs::copy(only_part(directory.path(), 2), &path).unwrap();
    assert!(refusal().contains("not the part named in the manifest"));
    fs::write(&path, crowd(5).snapshot().to_bytes()).unwrap();
    assert!(refusal().contains("does not begin with FLOCKPRT"));
    fs::remove_file(&path).unwrap();
    refusal();
}

#[test]
fn a_directory_without_a_checkpoint_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let error = Checkpoint::latest(directory.path()).unwrap_err().to_string();
    assert!(error.contains("no complete checkpoint"), "{error}");
    let error = Checkpoint::latest(&directory.path().join("none")).unwrap_err().to_string();
    assert!(error.contains("none"), "{error}");
}

#[test]
fn a_manifest_of_no_parts_or_more_agents_than_can_be_counted_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    save_in_parts(directory.path(), &crowd(1), 2);
    let path = directory.path().join("step-000000000001").join("manifest.toml");
    for (agents, expected) in [
        ("[]", "at least one part"),
        (&format!("[{0}, {0}, {0}]", i64::MAX), "the total is too large"),
        ("[-1]", "manifest.toml"),
    ] {
        fs::write(&path, format!("tick = 1\nstate_hash = \"0\"\nagents = {agents}")).unwrap();
        let error = Checkpoint::latest(directory.path()).unwrap_err().to_string();
        assert!(error.contains("manifest.toml") && error.contains(expected), "{error}");
    }
}

/// The foreign part has the same size and step as the original, so only the state hash reveals it.
#[test]
fn parts_of_another_state_than_the_manifest_names_are_refused_by_all_ranks() {
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    save_in_parts(one.path(), &crowd(5), 2);
    save_in_parts(other.path(), &crowd_without(9, 5), 2);
    fs::copy(only_part(other.path(), 0), only_part(one.path(), 0)).unwrap();
    let checkpoint = Checkpoint::latest(one.path()).unwrap();
    let refusals = run(2, |transport| {
        let refused = Rank::resume(&checkpoint, transport).map(drop).unwrap_err();
        Ok::<_, String>(refused.to_string())
    });
    for refused in refusals.unwrap() {
        assert!(refused.contains("manifest.toml: state_hash: the parts have state"), "{refused}");
    }
}

/// A rank that cannot save fails the save on all ranks, and the previous checkpoint stays.
#[test]
fn a_rank_that_cannot_save_fails_all_and_costs_nothing() {
    let directory = tempfile::tempdir().unwrap();
    save_in_parts(directory.path(), &crowd(1), 2);
    let folder = directory.path().join("step-000000000002");
    // A folder blocks the path of part 1.
    fs::create_dir_all(folder.join("part-00001").join("occupied")).unwrap();
    let snapshot = crowd(2).snapshot();
    let results = run(2, |transport| {
        let slab = Slab::from_snapshot(&snapshot, transport.rank(), 2).unwrap();
        Ok::<_, String>(save(directory.path(), &slab, 0, transport).unwrap_err().to_string())
    });
    let results = results.unwrap();
    assert!(results[0].starts_with("rank 1: ") && results[0].contains("part-00001"), "{results:?}");
    assert!(results[1].contains("part-00001"), "{results:?}");
    assert_eq!(Checkpoint::latest(directory.path()).unwrap().manifest.tick, 1);
}

#[test]
fn parts_of_different_states_are_not_joined() {
    let parts = |steps| {
        let snapshot: Snapshot = crowd(steps).snapshot();
        [0, 1].map(|number| Slab::from_snapshot(&snapshot, number, 2).unwrap().part())
    };
    let ([one, _], [_, other]) = (parts(4), parts(5));
    let error = Snapshot::join(&[one.clone(), other]).unwrap_err().to_string();
    assert!(error.contains("part 1 of 2 belongs to another state"), "{error}");
    let error = Snapshot::join(&[one.clone(), one]).unwrap_err().to_string();
    assert!(error.contains("part 0 of 2, not part 1 of 2"), "{error}");
    assert!(Snapshot::join(&[]).is_err());
}

/// Regression: saving a step again removed its manifest first and overwrote its parts.
#[test]
fn a_failed_save_of_a_step_leaves_the_complete_checkpoint_of_it() {
    let directory = tempfile::tempdir().unwrap();
    let crowd = crowd(3);
    save_in_parts(directory.path(), &crowd, 2);
    let folder = directory.path().join("step-000000000003");
    let before = names(&folder);
    fs::create_dir_all(folder.join("part-00001-1").join("occupied")).unwrap();
    let snapshot = crowd.snapshot();
    let results = run(3, |transport| {
        let slab = Slab::from_snapshot(&snapshot, transport.rank(), 3).unwrap();
        let failed = save(directory.path(), &slab, crowd.state_hash(), transport).unwrap_err();
        Ok::<_, String>(failed.to_string())
    });
    assert!(results.unwrap().iter().all(|failed| failed.contains("part-00001-1")));
    let latest = Checkpoint::latest(directory.path()).unwrap();
    assert_eq!(latest.join().unwrap().to_bytes(), snapshot.to_bytes());

    // A successful save removes the leftovers of failed saves.
    fs::remove_dir_all(folder.join("part-00001-1")).unwrap();
    save_in_parts(directory.path(), &crowd, 3);
    let latest = Checkpoint::latest(directory.path()).unwrap();
    assert_eq!(latest.join().unwrap().to_bytes(), snapshot.to_bytes());
    assert_eq!(names(&folder), ["manifest.toml", "part-00000-1", "part-00001-1", "part-00002-1"]);
    assert_eq!(before, ["manifest.toml", "part-00000", "part-00001"]);
}

#[test]
fn a_directory_that_holds_another_run_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    check_free(&directory.path().join("new"), None).unwrap();
    check_free(directory.path(), None).unwrap();
    for steps in [4, 9] {
        save_in_parts(directory.path(), &crowd(steps), 2);
    }
    let refused = check_free(directory.path(), None).unwrap_err().to_string();
    assert!(refused.contains("it contains checkpoints of a run, up to step 9"), "{refused}");
    let latest = Checkpoint::latest(directory.path()).unwrap();
    check_free(directory.path(), Some(&latest)).unwrap();
    let earlier = Checkpoint::latest(&directory.path().join("step-000000000004")).unwrap();
    check_free(directory.path(), Some(&earlier)).unwrap_err();

    // Saving an earlier step is refused, since pruning would remove it at once.
    let snapshot = crowd(5).snapshot();
    let refused = run(2, |transport| {
        let slab = Slab::from_snapshot(&snapshot, transport.rank(), 2).unwrap();
        save(directory.path(), &slab, 0, transport)
    });
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("it contains a checkpoint of step 9"), "{refused}");
    assert_eq!(names(directory.path()), ["step-000000000004", "step-000000000009"]);
}

/// Regression: checkpoints were saved inside a checkpoint, where `Checkpoint::latest` never looks.
#[test]
fn a_directory_that_is_a_checkpoint_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    save_in_parts(directory.path(), &crowd(4), 2);
    let folder = directory.path().join("step-000000000004");
    let latest = Checkpoint::latest(&folder).unwrap();
    let refused = check_free(&folder, Some(&latest)).unwrap_err().to_string();
    assert!(refused.contains("it is a checkpoint: save to the directory that"), "{refused}");
    check_free(directory.path(), Some(&latest)).unwrap();
}

#[test]
fn pruning_removes_only_what_this_program_wrote() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["step-", "step-1", "step-000000000001", "step-000000000003"] {
        fs::create_dir(directory.path().join(name)).unwrap();
        fs::write(directory.path().join(name).join("notes"), "mine").unwrap();
    }
    for steps in [2, 3, 4, 5] {
        save_in_parts(directory.path(), &crowd(steps), 2);
    }
    let left = ["step-", "step-000000000001", "step-000000000003", "step-000000000004"];
    assert_eq!(names(directory.path()), [&left[..], &["step-000000000005", "step-1"]].concat());
    for name in &left[..3] {
        assert_eq!(names(&directory.path().join(name)), ["notes"], "{name}");
    }
}

#[test]
fn errors_of_a_manifest_quote_200_characters_at_most_and_no_control_characters() {
    let directory = tempfile::tempdir().unwrap();
    save_in_parts(directory.path(), &crowd(1), 1);
    let path = directory.path().join("step-000000000001").join("manifest.toml");
    let long = "x".repeat(100_000);
    for text in [
        format!("tick = 1\nstate_hash = \"0\"\nagents = \"{long}\""),
        format!("{long} = 1"),
        format!("tick = {long}"),
        long.clone(),
        r#""\u001b[31m" = 1"#.into(),
    ] {
        fs::write(&path, text).unwrap();
        let error = Checkpoint::latest(directory.path()).unwrap_err().to_string();
        assert!(error.len() < 300 + path.as_os_str().len(), "{} bytes", error.len());
        assert!(error.contains("manifest.toml: line "), "{error}");
        assert!(!error.contains(char::is_control), "{error:?}");
    }
    fs::write(&path, format!("tick = 1\nstate_hash = \"{long}\"\nagents = [499]")).unwrap();
    let checkpoint = Checkpoint::latest(directory.path()).unwrap();
    let error = run(1, |transport| Rank::resume(&checkpoint, transport).map(drop)).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("manifest.toml: state_hash: the parts have state"), "{error}");
    assert!(error.len() < 300 + path.as_os_str().len(), "{} bytes", error.len());
}
