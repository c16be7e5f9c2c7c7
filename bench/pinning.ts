import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** On which cores a program runs: the gateway alone on one, or on those that are named; whatever measures it on another. */
export type Place = 'gateway' | 'measuring';

const canPin = (): boolean =>
  availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0;

export interface Pinning {
  readonly pinned: boolean;
  /** The command line that runs a command in its place. */
  command(place: Place, command: readonly string[]): readonly string[];
}

/** Pins by `taskset` where there is one and there are two cores; without, programs run where the system puts them. */
export const createPinning = (gatewayCores = '0'): Pinning => {
  const pinned = canPin();
  const cores: Readonly<Record<Place, string>> = { gateway: gatewayCores, measuring: '1' };
  return {
    pinned,
    command: (place, command) => (pinned ? ['taskset', '-c', cores[place], ...command] : command),
  };
};
