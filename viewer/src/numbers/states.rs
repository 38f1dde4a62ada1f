//! The states of all agents every so many steps, as CSV or as an array that NumPy loads (.npy).
//!
//! Rows are written as they come, to a temporary file that takes its place at the end: a run may
//! have more of them than memory.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flockwork::Simulation;
use flockwork::internal::file::Replacement;

use crate::error::Error;

const COLUMNS: [&str; 7] = ["step", "agent", "species", "x", "y", "vx", "vy"];
/// Length of the header of an array: the number of rows is known only at the end.
const HEADER: usize = 128;

/// The file that `--states` names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StatesFile {
    Csv(PathBuf),
    Npy(PathBuf),
}

impl TryFrom<PathBuf> for StatesFile {
    type Error = &'static str;

    fn try_from(path: PathBuf) -> Result<Self, Self::Error> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("csv") => Ok(Self::Csv(path)),
            Some("npy") => Ok(Self::Npy(path)),
            _ => Err("the name has to end in .npy or .csv"),
        }
    }
}

impl StatesFile {
    pub(crate) fn path(&self) -> &Path {
        let (Self::Csv(path) | Self::Npy(path)) = self;
        path
    }
}

/// Writes states.
pub(crate) struct States {
    file: StatesFile,
    out: BufWriter<Replacement>,
    rows: u64,
}

impl States {
    pub(crate) fn create(file: StatesFile) -> Result<Self, Error> {
        let path = file.path().to_owned();
        let begin = || -> io::Result<Self> {
            let mut out = BufWriter::new(Replacement::begin(&path)?);
            match file {
                StatesFile::Csv(_) => writeln!(out, "{}", COLUMNS.join(","))?,
                StatesFile::Npy(_) => out.write_all(&header(0))?,
            }
            Ok(Self { file, out, rows: 0 })
        };
        begin().map_err(|error| Error::write(&path, &error))
    }

    /// Adds the present state of every agent, in the order of their numbers.
    pub(crate) fn add(&mut self, simulation: &Simulation) -> Result<(), Error> {
        self.write(simulation).map_err(|error| Error::write(self.file.path(), &error))
    }

    fn write(&mut self, simulation: &Simulation) -> io::Result<()> {
        let agents = simulation.agents();
        let mut slots: Vec<usize> = (0..agents.x.len()).collect();
        slots.sort_unstable_by_key(|&slot| agents.index[slot]);
        let step = simulation.tick();
        for slot in slots {
            let species = agents.species.get(slot).map_or(0, |&kind| kind);
            let ([vx, vy], x, y) = (simulation.velocity_at(slot), agents.x[slot], agents.y[slot]);
            let number = agents.index[slot];
            match self.file {
                StatesFile::Csv(_) => {
                    writeln!(self.out, "{step},{number},{species},{x},{y},{vx},{vy}")?;
                }
                StatesFile::Npy(_) => {
                    let whole = [step as f64, f64::from(number), f64::from(species)];
                    for value in whole.into_iter().chain([x, y, vx, vy].map(f64::from)) {
                        self.out.write_all(&value.to_le_bytes())?;
                    }
                }
            }
            self.rows += 1;
        }
        Ok(())
    }

    /// Puts the file into its place.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Self { file, out, rows } = self;
        let end = || -> io::Result<File> {
            let mut replacement = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            if let StatesFile::Npy(_) = file {
                replacement.seek(SeekFrom::Start(0))?;
                replacement.write_all(&header(rows))?;
            }
            replacement.finish()
        };
        end().map(drop).map_err(|error| Error::write(file.path(), &error))
    }
}

/// The header of an array of numbers with eight bytes each, as NumPy defines it.
fn header(rows: u64) -> [u8; HEADER] {
    let columns = COLUMNS.len();
    let words =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let mut header = [b' '; HEADER];
    header[..8].copy_from_slice(b"\x93NUMPY\x01\x00");
    header[8..10].copy_from_slice(&(HEADER as u16 - 10).to_le_bytes());
    header[10..10 + words.len()].copy_from_slice(words.as_bytes());
    header[HEADER - 1] = b'\n';
    header
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockwork::Scene;

    /// The states of a shoal at its start and after ten steps.
    fn written(name: &str) -> (Vec<u8>, Simulation) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let mut shoal = Scene::named("big-shoal").unwrap().build().unwrap();
        let mut states = States::create(StatesFile::try_from(path.clone()).unwrap()).unwrap();
        states.add(&shoal).unwrap();
        shoal.run(10).unwrap();
        states.add(&shoal).unwrap();
        assert!(!path.exists(), "it is there when it is complete");
        states.finish().unwrap();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        (std::fs::read(path).unwrap(), shoal)
    }

    #[test]
    fn arrays_and_tables_have_the_same_numbers() {
        let (array, shoal) = written("x.npy");
        let (table, _) = written("x.csv");
        let words = String::from_utf8_lossy(&array[..HEADER]).into_owned();
        assert!(words.contains("'shape': (600, 7)") && words.ends_with('\n'), "{words}");
        assert_eq!(HEADER % 64, 0, "NumPy wants its data aligned");
        let numbers: Vec<f64> = array[HEADER..]
            .as_chunks::<8>()
            .0
            .iter()
            .map(|bytes| f64::from_le_bytes(*bytes))
            .collect();
        let mut reader = csv::Reader::from_reader(&table[..]);
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!((numbers.len(), rows.len()), (7 * 600, 600));
        for (row, numbers) in rows.iter().zip(numbers.chunks(7)) {
            for (text, number) in row.iter().zip(numbers) {
                assert_eq!(f64::from(text.parse::<f32>().unwrap()), *number);
            }
        }
        let last = &numbers[7 * 599..];
        let id = shoal.ids().find(|id| id.index == 299).unwrap();
        assert_eq!((last[0], last[1], last[2]), (10.0, 299.0, 1.0));
        assert_eq!(last[3], f64::from(shoal.agent(id).unwrap().position[0]));
    }

    #[test]
    fn other_names_are_refused() {
        for name in ["", "x", "x.txt", ".npy"] {
            assert!(StatesFile::try_from(PathBuf::from(name)).is_err(), "{name}");
        }
        let nowhere = StatesFile::Npy("/nowhere/x.npy".into());
        assert!(States::create(nowhere).is_err());
    }
}
