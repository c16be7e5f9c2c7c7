import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** On which core a program runs: the gateway alone on one, whatever measures it on the other. */
export type Place = 'gateway' | 'measuring';

const coreOf: Readonly<Record<Place, string>> = { gateway: '0', measuring: '1' };

const canPin = (): boolean =>
  availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0;

export interface Pinning {
  readonly pinned: boolean;
  /** The command line that runs a command in its place. */
  command(place: Place, command: readonly string[]): readonly string[];
}

/** Pins by `taskset` where there is one and there are two cores; without, programs run where the system puts them. */
export const createPinning = (): Pinning => {
  const pinned = canPin();
  return {
    pinned,
    command: (place, command) => (pinned ? ['taskset', '-c', coreOf[place], ...command] : command),
  };
};
