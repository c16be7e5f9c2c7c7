/** Longer words are not compared: what is that long is no slip of the pen. */
const charsMax = 64;
/** How far a word may be from the one that was meant: one letter in three, and one at the least. */
const lettersPerSlip = 3;

const cheapest = (costs: readonly number[]): number => Math.min(...costs);

type Row = readonly number[];

/** The row of one letter: what each beginning of the other word costs. Two letters that changed places are one slip. */
const nextRow = (at: number, [one, other]: readonly [string, string], row: Row, before: Row): Row => {
  const next = [at + 1];
  for (let index = 0; index < other.length; index += 1) {
    const isSame = other[index] === one[at];
    const isSwapped = at > 0 && index > 0 && other[index] === one[at - 1] && other[index - 1] === one[at];
    next.push(
      cheapest([
        (row[index] ?? 0) + (isSame ? 0 : 1),
        (row[index + 1] ?? 0) + 1,
        (next[index] ?? 0) + 1,
        ...(isSwapped ? [(before[index - 1] ?? 0) + 1] : []),
      ]),
    );
  }
  return next;
};

/** How many letters must be put in, left out, replaced or swapped to make one word of the other. */
export const editDistance = (one: string, other: string): number => {
  let before: Row = [];
  let row: Row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) [before, row] = [row, nextRow(at, [one, other], row, before)];
  return row[other.length] ?? 0;
};

const plain = (word: string): string => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The word that was probably meant, or null where none is near: case and marks between letters do not count. */
export const nearestWord = (word: string, words: readonly string[]): string | null => {
  const asked = plain(word.slice(0, charsMax));
  let found: string | null = null;
  let least = Math.max(1, Math.floor(asked.length / lettersPerSlip)) + 1;
  for (const candidate of words) {
    if (candidate.length > charsMax) continue;
    const steps = editDistance(asked, plain(candidate));
    if (steps < least) [found, least] = [candidate, steps];
  }
  return found;
};
