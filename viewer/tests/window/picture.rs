pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Reads a PPM: the words "P6", width, height and 255, then three bytes per pixel.
    pub(crate) fn of_ppm(bytes: &[u8]) -> Option<Self> {
        let mut words = bytes.splitn(5, u8::is_ascii_whitespace).skip(1);
        let mut number = || std::str::from_utf8(words.next()?).ok()?.parse::<usize>().ok();
        let [width, height, _] = [number()?, number()?, number()?];
        let pixels = words.next()?.as_chunks().0.to_vec();
        (pixels.len() == width * height).then_some(Self { width, pixels })
    }

    /// Returns `None` if the file is missing or incomplete.
    pub(crate) fn load(path: &std::path::Path) -> Option<Self> {
        let bytes = std::fs::read(path).ok()?;
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().ok()?;
        let mut buffer = vec![0; reader.output_buffer_size()?];
        let info = reader.next_frame(&mut buffer).ok()?;
        let samples = info.color_type.samples();
        let gray =
            |pixel: &[u8]| if samples < 3 { [pixel[0]; 3] } else { [pixel[0], pixel[1], pixel[2]] };
        let pixels = buffer[..info.buffer_size()].chunks_exact(samples).map(gray).collect();
        Some(Self { width: info.width as usize, pixels })
    }

    pub(crate) fn at(&self, [x, y]: [i32; 2]) -> [u8; 3] {
        self.pixels[y as usize * self.width + x as usize]
    }

    pub(crate) fn count(
        &self,
        [left, top]: [usize; 2],
        [right, bottom]: [usize; 2],
        is: impl Fn([u8; 3]) -> bool,
    ) -> usize {
        let rows = self.pixels.chunks(self.width).take(bottom).skip(top);
        rows.flat_map(|row| &row[left.min(row.len())..right.min(row.len())])
            .filter(|pixel| is(**pixel))
            .count()
    }

    pub(crate) fn center(
        &self,
        [left, top]: [usize; 2],
        [right, bottom]: [usize; 2],
        is: impl Fn([u8; 3]) -> bool,
    ) -> Option<[f32; 2]> {
        let places = (top..bottom).flat_map(|y| (left..right).map(move |x| [x, y]));
        let found: Vec<_> = places.filter(|[x, y]| is(self.pixels[y * self.width + x])).collect();
        let mean = |k: usize| found.iter().map(|at| at[k] as f32).sum::<f32>() / found.len() as f32;
        (!found.is_empty()).then(|| [mean(0), mean(1)])
    }

    pub(crate) fn differences(&self, other: &Self) -> usize {
        self.pixels.iter().zip(&other.pixels).filter(|(a, b)| a != b).count()
    }
}
