import type { Worker } from 'node:cluster';
import { httpOrigin } from './node-address.ts';

/** A process that ended without being asked to; it is started again. */
export interface ProcessDeath {
  /** 1 to `processes`; the first one sweeps. */
  readonly member: number;
  readonly pid: number;
  readonly code: number | null;
  readonly signal: string | null;
  /** After how long another process takes its place. */
  readonly restartInMs: number;
}

export interface MembersOptions {
  readonly count: number;
  readonly restartMs: number;
  readonly fork: (member: number) => Worker;
  readonly onDeath: (death: ProcessDeath) => void;
}

/** The processes of one server, each in its place. */
export interface Members {
  /** Resolves with the origin when every process listens; rejects where one ends before it has ever listened. */
  listening(): Promise<string>;
  pids(): readonly number[];
  /** Has every process close, and resolves when all have ended. */
  close(): Promise<void>;
  /** Ends every process at once. */
  kill(): void;
}

const restartMsMax = 60_000;
/** A process that lived so long has not died of its start. */
const earlyMs = 10_000;

interface Address {
  readonly address: string | null;
  readonly port: number;
}

type Exit = Pick<ProcessDeath, 'code' | 'signal'>;

/** By what a process ended. */
export const describeExit = ({ code, signal }: Exit): string => signal ?? `code ${code ?? 'unknown'}`;

/** How long the place of a process stays empty: longer after each death within a short time of its start. */
const createPatience = (restartMs: number) => {
  const lives = new Map<number, { deaths: number; startedMs: number }>();
  return {
    started: (member: number): void => {
      lives.set(member, { deaths: lives.get(member)?.deaths ?? 0, startedMs: performance.now() });
    },
    afterDeathMs: (member: number): number => {
      const life = lives.get(member) ?? { deaths: 0, startedMs: 0 };
      life.deaths = performance.now() - life.startedMs < earlyMs ? life.deaths + 1 : 1;
      return Math.min(restartMsMax, restartMs * 2 ** (life.deaths - 1));
    },
  };
};

const neverListened = (member: number, exit: Exit): Error =>
  new Error(`process ${member} ended with ${describeExit(exit)} before it listened`);

/** Which places have had a process that listened. */
const createArrivals = (count: number) => {
  const heard = new Set<number>();
  const { promise: all, resolve, reject } = Promise.withResolvers<string>();
  return {
    all,
    has: (member: number): boolean => heard.has(member),
    add: (member: number, { address, port }: Address): void => {
      heard.add(member);
      if (heard.size === count) resolve(httpOrigin(address ?? '127.0.0.1', port));
    },
    fail: (member: number, exit: Exit): void => reject(neverListened(member, exit)),
  };
};

/** The processes that run now, and those that are about to be started. */
const createCrew = ({ count, restartMs, fork, onDeath }: MembersOptions, onEmpty: () => void) => {
  const workers = new Map<number, Worker>();
  const timers = new Set<NodeJS.Timeout>();
  const arrivals = createArrivals(count);
  const patience = createPatience(restartMs);
  let isClosing = false;
  const start = (member: number): void => {
    const worker = fork(member);
    workers.set(member, worker);
    patience.started(member);
    worker.once('listening', (address: Address) => arrivals.add(member, address));
    worker.once('exit', (code: number | null, signal: string | null) => onExit(member, worker, { code, signal }));
  };
  const startIn = (member: number, inMs: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      start(member);
    }, inMs);
    timers.add(timer);
  };
  const onExit = (member: number, { process: { pid = 0 } }: Worker, exit: Exit): void => {
    workers.delete(member);
    if (isClosing) {
      if (workers.size === 0) onEmpty();
    } else if (arrivals.has(member)) {
      const restartInMs = patience.afterDeathMs(member);
      startIn(member, restartInMs);
      onDeath({ member, pid, ...exit, restartInMs });
    } else {
      arrivals.fail(member, exit);
      close();
    }
  };
  const close = (): void => {
    if (isClosing) return;
    isClosing = true;
    for (const timer of timers) clearTimeout(timer);
    // One that ends just now has no channel any more, and a message to it would be an error that ends this process.
    for (const worker of workers.values()) if (worker.isConnected()) worker.send('close');
    if (workers.size === 0) onEmpty();
  };
  return { workers, start, close, listening: arrivals.all };
};

/** Starts the members and keeps each place filled until it is closed. */
export const createMembers = (options: MembersOptions): Members => {
  const { promise: ended, resolve: onEmpty } = Promise.withResolvers<void>();
  const { workers, start, close, listening } = createCrew(options, onEmpty);
  for (let member = 1; member <= options.count; member += 1) start(member);
  return {
    listening: () => listening,
    pids: () => Array.from(workers.values(), ({ process: { pid = 0 } }) => pid),
    close: () => {
      close();
      return ended;
    },
    kill: () => {
      for (const worker of workers.values()) worker.process.kill('SIGKILL');
    },
  };
};
