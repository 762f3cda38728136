//! Input of targets that build documents: a program in bytes, or the parts of a document as text.

/// Bytes that are used up from the front; 0 where none are left.
pub(super) struct Program<'a>(&'a [u8]);

impl<'a> Program<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// One of these.
    pub(super) fn one_of<T: Copy>(&mut self, choice: &[T]) -> T {
        choice[usize::from(self.next().unwrap_or(0)) % choice.len()]
    }

    /// A number below 16, or one of those at which programs fail.
    pub(super) fn number(&mut self) -> u64 {
        const EDGES: [u64; 8] =
            [0x7F, 0xFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 32, i64::MAX as u64, u64::MAX];
        match self.next().unwrap_or(0) {
            small @ 0..16 => u64::from(small),
            edge => EDGES[usize::from(edge) % EDGES.len()],
        }
    }

    /// Up to 31 bytes as they are.
    pub(super) fn raw(&mut self) -> &'a [u8] {
        let length = usize::from(self.next().unwrap_or(0) % 32).min(self.0.len());
        let (raw, rest) = self.0.split_at(length);
        self.0 = rest;
        raw
    }
}

/// A name and what it names.
pub(super) type NamedPart<'a> = (&'a [u8], &'a [u8]);

/// Splits `TEXT (%%NAME, a line end, TEXT)...`, where each `%%` begins a line: the first text, and the others by name.
pub(super) fn parts(data: &[u8]) -> (&[u8], Vec<NamedPart<'_>>) {
    const MARK: &[u8] = b"\n%%";
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(found) = data[at..].windows(MARK.len()).position(|three| three == MARK) {
        starts.push(at + found);
        at += found + MARK.len();
    }
    let first = &data[..starts.first().copied().unwrap_or(data.len())];
    let ends = starts.iter().skip(1).copied().chain([data.len()]);
    let named = starts.iter().zip(ends).map(|(start, end)| {
        let part = &data[start + MARK.len()..end];
        let line = part.iter().position(|byte| *byte == b'\n').unwrap_or(part.len());
        (&part[..line], part.get(line + 1..).unwrap_or_default())
    });
    (first, named.collect())
}

/// Blocks of Deflate that hold these bytes as they are.
pub(super) fn deflated(content: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut blocks = content.chunks(0xFFFF).peekable();
    if blocks.peek().is_none() {
        return vec![1, 0, 0, 0xFF, 0xFF];
    }
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        packed.push(u8::from(blocks.peek().is_none()));
        packed.extend(length.to_le_bytes());
        packed.extend((!length).to_le_bytes());
        packed.extend(block);
    }
    packed
}

/// The same with head and checksum, as PDF has it.
pub(super) fn zlib(content: &[u8]) -> Vec<u8> {
    let (low, high) = content.iter().fold((1_u32, 0_u32), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    [b"\x78\x01", &deflated(content)[..], &(high << 16 | low).to_be_bytes()].concat()
}
