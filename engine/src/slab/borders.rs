//! Borders between slabs: the grid rows that each slab owns, and which rows are near them.

use std::ops::Range;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Borders(pub(super) Vec<u32>);

impl Borders {
    pub(super) fn balanced(costs: &[u64], slabs: usize) -> Self {
        let total = costs.iter().sum::<u64>().max(1);
        let mut borders = vec![0];
        let mut before = 0_u64;
        for (row, &cost) in (0..).zip(costs) {
            // A row belongs to the slab whose part of the total cost contains the row's midpoint.
            let middle = u128::from(before) + u128::from(cost) / 2;
            let slab = (middle * slabs as u128 / u128::from(total)) as usize;
            while borders.len() <= slab.min(slabs - 1) {
                borders.push(row);
            }
            before += cost;
        }
        borders.resize(slabs, costs.len() as u32);
        borders.push(costs.len() as u32);
        Self(borders)
    }

    pub(super) fn rows(&self) -> u32 {
        self.0.last().copied().unwrap_or(0)
    }

    pub(super) fn rows_of(&self, slab: usize) -> Range<u32> {
        self.0[slab]..self.0[slab + 1]
    }

    pub(super) fn owner(&self, row: u32) -> usize {
        self.0.partition_point(|&border| border <= row) - 1
    }

    /// The slab's own rows and all rows up to `reach` rows away, in ascending order.
    /// If `wraps` is set, the last row adjoins the first.
    pub(super) fn local_rows(
        &self,
        slab: usize,
        reach: u32,
        wraps: bool,
    ) -> impl Iterator<Item = u32> {
        let own_rows = self.rows_of(slab);
        let all = if own_rows.is_empty() { 0..0 } else { 0..self.rows() };
        all.filter(move |&row| {
            let [below, above] = self.distances(slab, row, wraps);
            own_rows.contains(&row) || below.min(above) <= reach
        })
    }

    /// Returns how many rows the slab's first row is above `row`, and how many rows `row` is above
    /// the slab's last row. The slab must own rows.
    pub(super) fn distances(&self, slab: usize, row: u32, wraps: bool) -> [u32; 2] {
        let own_rows = self.rows_of(slab);
        let up = |from: u32, to: u32| match to.checked_sub(from) {
            Some(rows) => rows,
            None if wraps => self.rows() - (from - to),
            None => u32::MAX,
        };
        [up(row, own_rows.start), up(own_rows.end - 1, row)]
    }

    /// The other slabs that own rows up to `reach` rows away.
    pub(super) fn near(&self, slab: usize, reach: u32, wraps: bool) -> Vec<usize> {
        let owners = self.local_rows(slab, reach, wraps).map(|row| self.owner(row));
        let mut others: Vec<usize> = owners.filter(|&owner| owner != slab).collect();
        others.dedup();
        others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balanced_borders_ascend_and_give_equal_parts() {
        for (costs, slabs) in
            [(vec![1; 12], 3), (vec![0; 5], 4), (vec![9, 0, 0, 9], 2), (vec![5], 7), (vec![], 2)]
        {
            let borders = Borders::balanced(&costs, slabs);
            assert_eq!(borders.0.len(), slabs + 1);
            assert!(borders.0.is_sorted() && borders.0[0] == 0, "{borders:?}");
            assert_eq!(borders.rows() as usize, costs.len());
        }
        assert_eq!(Borders::balanced(&[1; 12], 3).0, [0, 4, 8, 12]);
        assert_eq!(Borders::balanced(&[9, 0, 0, 9], 2).rows_of(1), 1..4);
    }

    #[test]
    fn local_rows_are_those_within_reach() {
        for rows in 1..12_u32 {
            for start in 0..=rows {
                for end in start..=rows {
                    let borders = Borders(vec![0, start, end, rows]);
                    for (reach, wraps) in (0..8).flat_map(|reach| [(reach, false), (reach, true)]) {
                        let local: Vec<u32> = borders.local_rows(1, reach, wraps).collect();
                        let near = |row: u32| {
                            (start..end).any(|own_row| {
                                let apart = own_row.abs_diff(row);
                                apart <= reach || wraps && rows - apart <= reach
                            })
                        };
                        let expected: Vec<u32> = (0..rows).filter(|&row| near(row)).collect();
                        assert_eq!(local, expected, "{borders:?}, {reach}, {wraps}");
                        let is_local = |row: &u32| local.contains(row);
                        for row in
                            (0..rows).filter(|row| start < end && !(start..end).contains(row))
                        {
                            let [below, above] = borders.distances(1, row, wraps);
                            assert_eq!(below.min(above) <= reach, is_local(&row), "{row}");
                        }
                        let owners = [0, 2].into_iter();
                        let owners =
                            owners.filter(|&slab| borders.rows_of(slab).any(|row| is_local(&row)));
                        assert!(owners.eq(borders.near(1, reach, wraps)), "{borders:?}, {reach}");
                    }
                }
            }
        }
    }
}
