/** FNV-1a over both bytes of each UTF-16 unit, with its bits mixed at the end. Accounts lie where it says, so it never changes. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/**
 * The cell of an account by rendezvous hashing: each cell draws a number for the account, and the highest one has it. Another cell
 * takes its share from all of them, and no account changes from one old cell to another.
 */
export const placeAccount = (cells: readonly string[], accountId: string): string => {
  let best = '';
  let highest = -1;
  for (const cell of cells) {
    const drawn = hashOf(`${cell}\n${accountId}`);
    if (drawn < highest || (drawn === highest && cell > best)) continue;
    best = cell;
    highest = drawn;
  }
  return best;
};
