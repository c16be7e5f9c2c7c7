/** Letters of three by five dots: one octal digit a row, its highest bit on the left. */
const glyphTable: { readonly [character: string]: string } = {
  A: '25755',
  B: '65656',
  C: '34443',
  D: '65556',
  E: '74647',
  F: '74644',
  G: '34553',
  H: '55755',
  I: '72227',
  J: '11152',
  K: '55655',
  L: '44447',
  M: '57755',
  N: '65555',
  O: '25552',
  P: '65644',
  Q: '25563',
  R: '65655',
  S: '34216',
  T: '72222',
  U: '55557',
  V: '55552',
  W: '55775',
  X: '55255',
  Y: '55222',
  Z: '71247',
  0: '75557',
  1: '26227',
  2: '61247',
  3: '61216',
  4: '55711',
  5: '74616',
  6: '34757',
  7: '71222',
  8: '75757',
  9: '75716',
  ' ': '00000',
  '.': '00002',
  ',': '00024',
  '-': '00700',
  '!': '22202',
  '?': '61202',
  ':': '02020',
  "'": '22000',
};

export const glyphWidth = 3;
export const glyphHeight = 5;

/** A text as letters that there are: capitals without accents, and a question mark for what cannot be written. */
export const writable = (text: string, charactersMax: number): string =>
  Array.from(text.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toUpperCase())
    .slice(0, charactersMax)
    .map((character) => (Object.hasOwn(glyphTable, character) ? character : '?'))
    .join('');

/** Whether a dot of a written line is inked; letters stand one dot apart. */
export const isInked = (line: string, column: number, row: number): boolean => {
  const within = column % (glyphWidth + 1);
  const glyph = glyphTable[line[Math.floor(column / (glyphWidth + 1))] ?? ' '] ?? '';
  return within < glyphWidth && ((Number(glyph[row] ?? '0') >> (glyphWidth - 1 - within)) & 1) === 1;
};
