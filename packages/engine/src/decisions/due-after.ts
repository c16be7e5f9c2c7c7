/** What is put off is checked again within a day, however long an upstream asks to wait. */
const waitMsMax = 86_400_000;

/**
 * When what waits for so long is due. Storages count whole milliseconds, while pauses grow by fractions and an upstream may ask for
 * any number; a time that is none is over at once.
 */
export const dueAfter = (nowMs: number, afterMs: number): number =>
  nowMs + (afterMs > 0 ? Math.min(Math.ceil(afterMs), waitMsMax) : 0);
