//! Writes positions, velocities, headings and ids as `.npy` files, with rows in ascending id order.
//! `-- FOLDER` sets the output folder. The default is `flockwork-columns` in the temporary folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flockwork::{Agents, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let default = || std::env::temp_dir().join("flockwork-columns");
    let folder = std::env::args().nth(1).map_or_else(default, PathBuf::from);
    fs::create_dir_all(&folder)?;

    let mut crowd = Scene::named("flock")?.agents(1_000).build()?;
    crowd.run(100)?;

    let agents = crowd.agents();
    let Agents { x, y, hx, hy, .. } = agents;
    let mean = |column: &[f32]| column.iter().sum::<f32>() / column.len() as f32;
    println!("mean heading ({:.3}, {:.3})", mean(hx), mean(hy));

    let mut slots: Vec<usize> = (0..crowd.len()).collect();
    slots.sort_by_key(|&slot| agents.id(slot));
    let positions = floats(&slots, |slot| [x[slot], y[slot]]);
    let headings = floats(&slots, |slot| [hx[slot], hy[slot]]);
    let velocities = floats(&slots, |slot| {
        let [vx, vy, _] = agents.velocity(slot);
        [vx, vy]
    });
    let ids = slots.iter().map(|&slot| agents.id(slot));
    let ids = ids.flat_map(|id| [id.index, id.generation]).flat_map(u32::to_le_bytes);
    let ids: Vec<u8> = ids.collect();

    save(&folder.join("positions.npy"), "<f4", crowd.len(), &positions)?;
    save(&folder.join("headings.npy"), "<f4", crowd.len(), &headings)?;
    save(&folder.join("velocities.npy"), "<f4", crowd.len(), &velocities)?;
    save(&folder.join("ids.npy"), "<u4", crowd.len(), &ids)?;
    println!("{} rows in each file of {}", crowd.len(), folder.display());

    // The last row of the file belongs to the agent with the largest id.
    let file = fs::read(folder.join("positions.npy"))?;
    assert_eq!(file.len() % 64, positions.len() % 64);
    let last = agents.ids().max().ok_or("no agents")?;
    let [x, y, _] = crowd.agent(last)?.position;
    assert!(file.ends_with(&[x.to_le_bytes(), y.to_le_bytes()].concat()));
    println!("{last} at ({x:.2}, {y:.2})");
    Ok(())
}

fn floats(slots: &[usize], row: impl Fn(usize) -> [f32; 2]) -> Vec<u8> {
    slots.iter().flat_map(|&slot| row(slot)).flat_map(f32::to_le_bytes).collect()
}

/// Writes a two-column array as NPY 1.0: magic, version, header length, header, data.
fn save(path: &Path, kind: &str, rows: usize, data: &[u8]) -> io::Result<()> {
    const MAGIC_AND_VERSION: &[u8] = b"\x93NUMPY\x01\x00";
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, 2), }}");
    // Spaces and a newline pad the header so that the data starts at a multiple of 64 bytes.
    let before = MAGIC_AND_VERSION.len() + 2;
    let length = (before + header.len() + 1).next_multiple_of(64) - before;
    let mut file = File::create(path)?;
    file.write_all(MAGIC_AND_VERSION)?;
    file.write_all(&(length as u16).to_le_bytes())?;
    writeln!(file, "{header:<width$}", width = length - 1)?;
    file.write_all(data)
}
