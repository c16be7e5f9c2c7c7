import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { killProcess, startProcess } from '../worker-process.ts';
import type { SchedulesPlace } from './schedules-gateway.ts';

const start = async (place: SchedulesPlace): Promise<ChildProcess> => {
  const { child } = await startProcess(path.join(import.meta.dirname, 'worker.ts'), [JSON.stringify(place)]);
  return child;
};

/** So many processes that work on what is due. */
export interface Workers {
  readonly kills: () => number;
  /** Kills one of them and starts another in its place. */
  readonly killOne: (at: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

export const startWorkers = async (place: SchedulesPlace, count: number): Promise<Workers> => {
  const children = await Promise.all(Array.from({ length: count }, () => start(place)));
  let kills = 0;
  return {
    kills: () => kills,
    killOne: async (at) => {
      const child = children[at % count];
      if (child === undefined) return;
      // The next one is ready when it is needed: no time is lost in which no process can be killed.
      const [next] = await Promise.all([start(place), killProcess(child)]);
      kills += 1;
      children[at % count] = next;
    },
    end: async () => {
      await Promise.all(children.map(killProcess));
    },
  };
};
