import { setTimeout as pause } from 'node:timers/promises';

const waitMsMax = 15_000;

/** Asks until it is so. */
export const until = async (what: string, look: () => Promise<boolean>): Promise<void> => {
  for (const start = Date.now(); !(await look()); await pause(50))
    if (Date.now() - start > waitMsMax) throw new Error(`it took too long: ${what}`);
};
