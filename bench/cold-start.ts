import path from 'node:path';
import { rmSync } from 'node:fs';
import { chooseContestants, requestOf, type Contestant, type Ports } from './contestants.ts';
import type { TollgateSetup } from './gateways/tollgate-setup.ts';
import { launch } from './launch.ts';
import type { RequestSpec } from './load/request-bytes.ts';
import { nextPort } from './ports.ts';
import { freshFolder, startUpstream, type Stage } from './session.ts';
import { medianOf } from './statistics.ts';

/** Milliseconds from the start of the process to the first answered chat, each the median of several starts. */
export interface StartTimes {
  /** Ours with the sandbox as its provider, so without a client of HTTP. */
  readonly sandboxMs: number;
  /** Ours, whose first chat goes to an upstream. */
  readonly upstreamMs: number;
  /** llms, whose first chat goes to the same; NaN where it is not installed. */
  readonly llmsMs: number;
}

const askOnce = async ({ port, path: at, headers, body }: RequestSpec): Promise<void> => {
  const answer = await fetch(`http://127.0.0.1:${port}${at}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  if (answer.status !== 200) throw new Error(`the first answer was ${answer.status}: ${await answer.text()}`);
  await answer.text();
};

const helloTo = (model: string): string => JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });

/** Starts a row that says by a line that it listens, and asks it once. */
const startOnce = async (stage: Stage, contestant: Contestant, upstreamPort: number): Promise<number> => {
  const folder = freshFolder();
  const ports: Ports = { port: nextPort(), upstreamPort };
  const flags = contestant.ours ? [...stage.build.nodeFlags, ...stage.nodeFlags] : [];
  const command = [process.execPath, ...flags, ...(contestant.run?.(ports, path.join(folder, 'bench.db')) ?? [])];
  const startedMs = performance.now();
  const gateway = launch(stage.pinning, { place: 'gateway', command, port: ports.port });
  try {
    await askOnce(requestOf(contestant, ports, await gateway.firstLine, helloTo));
    return performance.now() - startedMs;
  } finally {
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The row on SQLite FULL, with the sandbox instead of an upstream. */
const inSandbox = (contestant: Contestant): Contestant => ({
  ...contestant,
  run: ({ port }, databasePath) => {
    const storage = { kind: 'sqlite', path: databasePath, synchronous: 'full' } as const;
    const setup: TollgateSetup = { storage, upstreamPort: null, upstreamWire: 'chat' };
    return [path.join(import.meta.dirname, 'gateways/tollgate.ts'), String(port), JSON.stringify(setup)];
  },
});

/**
 * The embedded gateway on a new SQLite file, which includes making its schema, an account with credits, a project and a key;
 * and llms, in turn.
 */
export const measureColdStarts = async (stage: Stage, starts: number): Promise<StartTimes> => {
  const { chosen } = chooseContestants(['full', 'llms']);
  const [ours, llms] = chosen;
  if (ours === undefined) throw new Error('the row on SQLite is gone');
  const rows = [inSandbox(ours), ours, ...(llms === undefined ? [] : [llms])];
  const upstreamPort = nextPort();
  const upstream = await startUpstream(stage, upstreamPort, 0);
  const times = rows.map((): number[] => []);
  try {
    // A first start that does not count warms the page cache and the client in this process.
    for (let start = 0; start <= starts; start += 1)
      for (const [at, row] of rows.entries()) {
        const ms = await startOnce(stage, row, upstreamPort);
        if (start > 0) times[at]?.push(ms);
      }
  } finally {
    await upstream.stop();
  }
  const [sandboxMs = Number.NaN, upstreamMs = Number.NaN, llmsMs = Number.NaN] = times.map(medianOf);
  return { sandboxMs, upstreamMs, llmsMs };
};
