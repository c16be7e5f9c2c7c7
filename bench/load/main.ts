// Runs one load job, read as JSON from standard input, and prints its report.
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { LoadJob, LoadReport } from './load-job.ts';
import { openRawConnection, type RawConnection } from './raw-connection.ts';
import { createRequestBytes } from './request-bytes.ts';
import { createTally, type Tally } from './tally.ts';

type Closed = Extract<LoadJob, { kind: 'closed' }>;
type Open = Extract<LoadJob, { kind: 'open' }>;
type Burst = Extract<LoadJob, { kind: 'burst' }>;

/** How long the open load sleeps before it looks for answers again. */
const napMsMax = 0.1;
const warmUpLookMs = 50;

const seedOf = (name: string, number: number): string => `${name}${process.pid}-${number}`;

/** A connection that asks again as soon as it is answered, until told to stop. */
const openLoop = async (job: Closed, number: number, tally: Tally) => {
  const request = createRequestBytes(job.request, seedOf('c', number));
  let running = true;
  let sentMs = 0;
  const { promise: lastAnswer, resolve: wasLast } = Promise.withResolvers<void>();
  const ask = (): void => {
    sentMs = performance.now();
    connection.send(request.next());
  };
  const connection: RawConnection = await openRawConnection({
    port: job.request.port,
    onAnswer: (status) => {
      tally.answered(status, performance.now() - sentMs);
      if (running) ask();
      else wasLast();
    },
    onBroken: (cause) => {
      tally.broke(cause);
      wasLast();
    },
  });
  return {
    ask,
    /** Waits for the answer under way, as a client that leaves is work of its own for a gateway. */
    stop: async () => {
      running = false;
      await lastAnswer;
      connection.close();
    },
  };
};

/** Until so many requests were answered, or the time is up: a compiler that works while it serves counts calls, not seconds. */
const warmUp = async ({ warmUp: { requests, msMax } }: Closed, tally: Tally): Promise<void> => {
  const giveUpMs = performance.now() + msMax;
  while (tally.answers() < requests && performance.now() < giveUpMs) await delay(warmUpLookMs);
};

const runClosed = async (job: Closed, tally: Tally): Promise<LoadReport> => {
  const loops = await Promise.all(Array.from({ length: job.connections }, (_, number) => openLoop(job, number, tally)));
  for (const loop of loops) loop.ask();
  await warmUp(job, tally);
  tally.start();
  await delay(job.measuredMs);
  const report = tally.report();
  await Promise.all(loops.map((loop) => loop.stop()));
  return report;
};

/** A connection of the open load, which waits for its turn or for an answer. */
interface Asker {
  readonly send: (plannedMs: number) => void;
}

/**
 * Connections taken by turns, as few as the load needs, so that none is idle for long: a server would close it, which is work
 * beside that of the requests. What finds none free waits until one more is open.
 */
const createConnections = (job: Open, tally: Tally) => {
  const idle: Asker[] = [];
  const waiting: number[] = [];
  const opened: RawConnection[] = [];
  /** Seeds are not used again, though a connection may break. */
  let made = 0;
  let alive = 0;
  const rest = (asker: Asker): void => {
    const plannedMs = waiting.shift();
    if (plannedMs === undefined) idle.push(asker);
    else asker.send(plannedMs);
  };
  const open = async (): Promise<void> => {
    made += 1;
    alive += 1;
    const request = createRequestBytes(job.request, seedOf('o', made));
    let startedMs = 0;
    const connection = await openRawConnection({
      port: job.request.port,
      onAnswer: (status) => {
        tally.answered(status, performance.now() - startedMs);
        rest(self);
      },
      onBroken: (cause) => {
        alive -= 1;
        const at = idle.indexOf(self);
        if (at === -1) tally.broke(cause);
        else idle.splice(at, 1);
      },
    });
    const self = {
      send: (plannedMs: number) => {
        startedMs = plannedMs;
        connection.send(request.next());
      },
    };
    opened.push(connection);
    rest(self);
  };
  return {
    prepare: async () => {
      while (made < job.connections) await open();
    },
    send: (plannedMs: number): void => {
      const asker = idle.shift();
      if (asker !== undefined) {
        asker.send(plannedMs);
        return;
      }
      if (alive >= job.connectionsMax) {
        tally.broke(new Error('no connection was free'));
        return;
      }
      waiting.push(plannedMs);
      open().catch((failure: unknown) => tally.broke(failure instanceof Error ? failure : new Error(String(failure))));
    },
    close: () => opened.forEach((connection) => connection.close()),
  };
};

const never = new Int32Array(new SharedArrayBuffer(4));

/**
 * A nap, then a turn of the event loop for the answers. Timers count whole milliseconds and come late; looking again and
 * again would keep the mock, which has the same core, waiting for its time slice.
 */
const nap = async (ms: number): Promise<void> => {
  Atomics.wait(never, 0, 0, Math.min(ms, napMsMax));
  await nextTurn();
};

const exponential = (meanMs: number): number => -Math.log(1 - Math.random()) * meanMs;

const runOpen = async (job: Open, tally: Tally): Promise<LoadReport> => {
  const connections = createConnections(job, tally);
  await connections.prepare();
  const startMs = performance.now();
  const endMs = startMs + job.warmUpMs + job.measuredMs;
  let plannedMs = startMs;
  let measuring = false;
  while (plannedMs < endMs) {
    const nowMs = performance.now();
    if (!measuring && plannedMs - startMs > job.warmUpMs) {
      measuring = true;
      tally.start();
    }
    if (nowMs >= plannedMs) {
      connections.send(plannedMs);
      plannedMs += exponential(1_000 / job.perSecond);
    } else await nap(plannedMs - nowMs);
  }
  const report = tally.report();
  connections.close();
  return report;
};

const once = async (job: Burst, number: number, tally: Tally): Promise<void> => {
  const request = createRequestBytes(job.request, seedOf('b', number));
  const { promise, resolve } = Promise.withResolvers<void>();
  const sentMs = performance.now();
  const connection = await openRawConnection({
    port: job.request.port,
    onAnswer: (status) => {
      tally.answered(status, performance.now() - sentMs);
      resolve();
    },
    onBroken: (cause) => {
      tally.broke(cause);
      resolve();
    },
  });
  connection.send(request.next());
  await promise;
  connection.close();
};

const runBurst = async (job: Burst, tally: Tally): Promise<LoadReport> => {
  tally.start();
  for (let time = 0; time < job.times; time += 1) {
    const numbers = Array.from({ length: job.connections }, (_, number) => time * job.connections + number);
    await Promise.all(numbers.map((number) => once(job, number, tally)));
  }
  return tally.report();
};

const run = (job: LoadJob): Promise<LoadReport> => {
  const tally = createTally(job);
  switch (job.kind) {
    case 'closed':
      return runClosed(job, tally);
    case 'open':
      return runOpen(job, tally);
    case 'burst':
      return runBurst(job, tally);
  }
};

// Written by the runner of this very folder.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const job = JSON.parse(await text(process.stdin)) as LoadJob;
process.stdout.write(JSON.stringify(await run(job)), () => process.exit(0));
