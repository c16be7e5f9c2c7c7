import { createVictimProcess, type VictimProcess } from './victim-process.ts';
import type { VictimSetup } from './victim-setup.ts';

/** The gateway that starts when all others are dead, processes what they left behind, and must not die. */
export const startSurvivor = async (
  setup: VictimSetup,
  violations: string[],
): Promise<{ readonly process: VictimProcess; readonly origin: string }> => {
  const process = createVictimProcess(setup, {
    onDeposited: () => undefined,
    onDeath: (why) => void violations.push(`the last gateway ended by itself, ${why}`),
  });
  await process.loaded;
  const origin = await process.start('gateway');
  if (origin === null) throw new Error('the last gateway did not start');
  return { process, origin };
};
