//! Results of mutation tests, kept in a file, so that a later run continues where one was
//! interrupted.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::Mutation;
use crate::copies::{files, workspace};

/// Each line has a mistake's name, a hash of the mistake and of all code involved, and the test
/// that caught the mistake, if any, separated by tabs.
pub(crate) struct Results {
    file: File,
    known: BTreeMap<(String, String), Option<String>>,
    hashes: BTreeMap<String, u64>,
}

impl Results {
    pub(crate) fn open(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        let known = text.lines().filter_map(|line| {
            let [name, hash, test] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
            let test = (!test.is_empty()).then(|| test.to_owned());
            Some(((name.to_owned(), hash.to_owned()), test))
        });
        let known = known.collect();
        let file = File::options().create(true).append(true).open(path).unwrap();
        Self { file, known, hashes: BTreeMap::new() }
    }

    fn key(&mut self, mutation: &Mutation) -> (String, String) {
        let code = |package: &str| {
            hash_of(["src", "tests", "scenes"].map(|folder| workspace().join(package).join(folder)))
        };
        let mut hasher = DefaultHasher::new();
        mutation.changes.hash(&mut hasher);
        for package in ["engine", mutation.package()] {
            let hash = *self.hashes.entry(package.to_owned()).or_insert_with(|| code(package));
            hash.hash(&mut hasher);
        }
        (mutation.name.clone(), format!("{:016x}", hasher.finish()))
    }

    pub(crate) fn get(&mut self, mutation: &Mutation) -> Option<&Option<String>> {
        let key = self.key(mutation);
        self.known.get(&key)
    }

    /// Returns the test that caught this mistake in earlier code, and that probably catches it
    /// again.
    pub(crate) fn earlier(&self, mutation: &Mutation) -> Option<&str> {
        let mut known = self.known.iter().filter(|((name, _), _)| *name == mutation.name);
        known.find_map(|(_, test)| test.as_deref())
    }

    pub(crate) fn add(&mut self, mutation: &Mutation, test: Option<String>) {
        let key = self.key(mutation);
        let (name, hash) = &key;
        writeln!(self.file, "{name}\t{hash}\t{}", test.as_deref().unwrap_or_default()).unwrap();
        self.known.insert(key, test);
    }
}

/// Hash of the code in some folders, except for the list of mistakes and this program.
fn hash_of(folders: [PathBuf; 3]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for path in folders.iter().flat_map(|folder| files(folder)) {
        if !path.starts_with(workspace().join("engine/tests/mutations")) {
            (path.strip_prefix(workspace()).unwrap(), fs::read(&path).unwrap()).hash(&mut hasher);
        }
    }
    hasher.finish()
}
