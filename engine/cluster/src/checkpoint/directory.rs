use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, wrong};

const KEPT_CHECKPOINTS: usize = 2;

pub(super) fn folder(directory: &Path, tick: u64) -> PathBuf {
    directory.join(folder_name(tick))
}

/// A checkpoint is complete once this file exists.
pub(super) fn manifest_file(folder: &Path) -> PathBuf {
    folder.join("manifest.toml")
}

/// Saving the same step again uses new part names, so that the earlier parts stay in place until
/// the new manifest is written.
pub(super) fn part_file(folder: &Path, rank: usize, save: u32) -> PathBuf {
    folder.join(part_name(rank, save))
}

fn folder_name(tick: u64) -> String {
    format!("step-{tick:012}")
}

fn part_name(rank: usize, save: u32) -> String {
    match save {
        0 => format!("part-{rank:05}"),
        save => format!("part-{rank:05}-{save}"),
    }
}

fn parse_part(name: &str) -> Option<(usize, u32)> {
    let numbers = name.strip_prefix("part-")?;
    let (rank, save) = numbers.split_once('-').unwrap_or((numbers, "0"));
    let (rank, save) = (rank.parse().ok()?, save.parse().ok()?);
    (part_name(rank, save) == name).then_some((rank, save))
}

fn parse_folder(name: &str) -> Option<u64> {
    let tick = name.strip_prefix("step-")?.parse().ok()?;
    (folder_name(tick) == name).then_some(tick)
}

pub(super) fn complete(directory: &Path) -> Result<Vec<u64>, Failure> {
    let mut ticks = all(directory)?;
    ticks.retain(|&tick| manifest_file(&folder(directory, tick)).is_file());
    Ok(ticks)
}

fn all(directory: &Path) -> Result<Vec<u64>, Failure> {
    let mut ticks: Vec<u64> =
        names(directory)?.iter().filter_map(|name| parse_folder(name)).collect();
    ticks.sort_unstable();
    Ok(ticks)
}

/// Skips names that are not valid Unicode, because this program never writes such names.
fn names(directory: &Path) -> Result<Vec<String>, Failure> {
    let entries = fs::read_dir(directory).map_err(|error| wrong(directory, error))?;
    Ok(entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
}

pub(super) fn prune(directory: &Path) -> Result<(), Failure> {
    let mut kept = complete(directory)?;
    kept.drain(..kept.len().saturating_sub(KEPT_CHECKPOINTS));
    let mut removed = all(directory)?;
    removed.retain(|tick| !kept.contains(tick));
    removed.into_iter().try_for_each(|tick| remove(&folder(directory, tick)))
}

pub(super) fn remove_other_parts(
    folder: &Path,
    (ranks, save): (usize, u32),
) -> Result<(), Failure> {
    remove_files(folder, |name| {
        parse_part(name).is_some_and(|(rank, of)| of != save || rank >= ranks)
    })
}

fn remove(folder: &Path) -> Result<(), Failure> {
    if folder.is_symlink() {
        return Ok(());
    }
    // Remove the manifest first, so that a partly removed checkpoint does not look complete.
    remove_file(&manifest_file(folder))?;
    let temporary = |name: &str| name.starts_with(".flockwork-") && name.ends_with(".tmp");
    remove_files(folder, |name| parse_part(name).is_some() || temporary(name))?;
    match fs::remove_dir(folder) {
        Err(error) if error.kind() != ErrorKind::DirectoryNotEmpty => Err(wrong(folder, error)),
        _ => Ok(()),
    }
}

fn remove_files(folder: &Path, is_one: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let names = names(folder)?.into_iter().filter(|name| is_one(name));
    names.map(|name| folder.join(name)).try_for_each(|path| remove_file(&path))
}

fn remove_file(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(wrong(path, error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_this_program_writes_are_its_own() {
        assert_eq!(parse_folder("step-000000000007"), Some(7));
        assert_eq!(parse_folder("step-1234567890123"), Some(1_234_567_890_123));
        for name in ["step-", "step-7", "step-0000000000007", "step-+00000000007", "step-x"] {
            assert_eq!(parse_folder(name), None, "{name}");
        }
        assert_eq!(parse_part("part-00003"), Some((3, 0)));
        assert_eq!(parse_part("part-100003-12"), Some((100_003, 12)));
        for name in ["part-", "part-3", "part-00003-0", "part-00003-", "part-00003.bak"] {
            assert_eq!(parse_part(name), None, "{name}");
        }
    }
}
