/**
 * When an idle connection flushes: with the first step of a turn of the event loop at once, with all that the rest of the turn
 * brings at its end. Where the load leaves time a single step does not wait, and a crowd shares its transactions but for one
 * a turn.
 */
export const createFirstAtOnce = (): ((flush: () => void) => void) => {
  let taken = false;
  const endTurn = (): void => {
    taken = false;
  };
  return (flush) => {
    if (taken) {
      setImmediate(flush);
      return;
    }
    taken = true;
    setImmediate(endTurn);
    queueMicrotask(flush);
  };
};
