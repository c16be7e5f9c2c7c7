/** One timer for any number of things that repeat at one pace. */
export interface TimerWheel {
  /** Calls back once a turn, first one turn from now, until it returns false. */
  add(turn: () => boolean): void;
}

const slots = 20;

/** Spreads what is added over one turn by when it came, so that a thousand streams cost one timer and come evenly. */
export const createTimerWheel = (turnMs: number): TimerWheel => {
  const wheel: (() => boolean)[][] = Array.from({ length: slots }, () => []);
  const slotMs = turnMs / slots;
  const startMs = performance.now();
  let passed = 0;
  const pass = (): void => {
    const due = Math.floor((performance.now() - startMs) / slotMs);
    // A timer that comes late passes every slot that is due, so that the pace holds.
    for (; passed < due; passed += 1) {
      const at = passed % slots;
      wheel[at] = (wheel[at] ?? []).filter((turn) => turn());
    }
  };
  setInterval(pass, Math.max(1, Math.floor(slotMs)));
  // The slot that was passed last comes again in one turn.
  return { add: (turn) => void wheel[(passed + slots - 1) % slots]?.push(turn) };
};
