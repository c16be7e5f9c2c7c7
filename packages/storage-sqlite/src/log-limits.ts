/** SQLite cuts a log that is longer than this when it begins anew, which takes some 10 ms. */
export const journalBytesMax = 64 * 1024 * 1024;

/** A page of SQLite's default size, and its header in the log. */
const frameBytes = 4_096 + 24;

/** A log of more frames is made to begin anew: late, as that holds writers up, but before it would have to be cut. */
export const restartFrames = Math.floor((journalBytesMax * 15) / 16 / frameBytes);
