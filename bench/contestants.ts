import { existsSync } from 'node:fs';
import path from 'node:path';
import { shortChat } from './bodies.ts';
import type { TollgateReady, TollgateSetup } from './gateways/tollgate-setup.ts';
import type { RequestSpec } from './load/request-bytes.ts';

export interface Ports {
  readonly port: number;
  readonly upstreamPort: number;
}

/** One row of the table. */
export interface Contestant {
  readonly id: string;
  readonly title: string;
  /** Whether it is this project's. */
  readonly ours: boolean;
  /** The command line after `node`; null asks the upstream itself. */
  readonly run: ((ports: Ports, databasePath: string) => readonly string[]) | null;
  readonly path: string;
  readonly model: (firstLine: string) => string;
  readonly headers: (ports: Ports, firstLine: string) => RequestSpec['headers'];
  /** Whether the first line of its output says how it is asked. */
  readonly announces: boolean;
  /** Whether it is measured under the open load alone, because it differs from another row in the evenness of its latency. */
  readonly openOnly: boolean;
  /** Whether its requests carry an Idempotency-Key, each its own; clients may send one, and most do not. */
  readonly identities: boolean;
}

const here = (file: string): string => path.join(import.meta.dirname, file);
const peer = (file: string): string => here(`peers/node_modules/${file}`);
const args = ({ port, upstreamPort }: Ports): readonly string[] => [String(port), String(upstreamPort)];

const plain = {
  ours: false,
  path: '/v1/chat/completions',
  model: () => 'mock-1',
  headers: () => ({ authorization: 'Bearer sk-mock' }),
  announces: false,
  openOnly: false,
  identities: false,
} as const;

// Written by `gateways/tollgate.ts`.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const readyOf = (firstLine: string): TollgateReady => JSON.parse(firstLine) as TollgateReady;

const evenFlags = ['--no-allocation-site-pretenuring', '--max-semi-space-size=32', '--heap-growing-percent=300'];

interface RowChoice {
  /** As docs/scaling.md says for an even latency. */
  readonly even?: boolean;
  readonly limits?: TollgateSetup['limits'];
  readonly telemetry?: boolean;
  readonly cap?: boolean;
  readonly processes?: number;
}

const tollgate = (
  id: string,
  title: string,
  storageAt: (path: string) => TollgateSetup['storage'],
  { even = false, limits, telemetry = false, cap = false, processes }: RowChoice = {},
): Contestant => ({
  id,
  title,
  ours: true,
  run: ({ port, upstreamPort }, databasePath) => {
    const storage = storageAt(databasePath);
    const setup: TollgateSetup = {
      storage,
      upstreamPort,
      upstreamWire: 'chat',
      eventLoopFirst: even,
      ...(limits && { limits }),
      telemetry,
      cap,
      ...(processes !== undefined && { processes }),
    };
    return [...(even ? evenFlags : []), here('gateways/tollgate.ts'), String(port), JSON.stringify(setup)];
  },
  path: '/api/v1/ai/chat/completions',
  model: (firstLine) => readyOf(firstLine).model,
  headers: (_ports, firstLine) => ({ authorization: `Bearer ${readyOf(firstLine).key}` }),
  announces: true,
  openOnly: even,
  identities: false,
});

const sqlite =
  (synchronous: 'full' | 'normal') =>
  (databasePath: string): TollgateSetup['storage'] => ({ kind: 'sqlite', path: databasePath, synchronous });

const portkeyStart = peer('@portkey-ai/gateway/build/start-server.js');

const all: readonly Contestant[] = [
  { ...plain, id: 'direct', title: 'the mock itself', run: null },
  { ...plain, id: 'pipe', title: 'bare node:http pipe', run: (ports) => [here('gateways/pipe.ts'), ...args(ports)] },
  {
    ...plain,
    id: 'undici-pipe',
    title: 'bare pipe, undici to the upstream',
    run: (ports) => [here('gateways/undici-pipe.ts'), ...args(ports)],
  },
  {
    ...plain,
    id: 'hono',
    title: 'Hono pass-through (undici)',
    run: (ports) => [here('gateways/hono-proxy.ts'), ...args(ports), 'undici'],
  },
  tollgate('memory', 'Tollgate, memory', () => ({ kind: 'memory' })),
  tollgate('full', 'Tollgate, SQLite FULL', sqlite('full')),
  tollgate('normal', 'Tollgate, SQLite NORMAL', sqlite('normal')),
  tollgate('even', 'Tollgate, SQLite FULL, for an even latency', sqlite('full'), { even: true }),
  tollgate('even-normal', 'Tollgate, SQLite NORMAL, for an even latency', sqlite('normal'), { even: true }),
  tollgate('limits', 'Tollgate, memory, with limits in memory', () => ({ kind: 'memory' }), { limits: 'memory' }),
  tollgate('limits-postgres', 'Tollgate, memory, with limits on PostgreSQL', () => ({ kind: 'memory' }), {
    limits: 'postgres',
  }),
  tollgate('full-limits', 'Tollgate, SQLite FULL, with limits in memory', sqlite('full'), { limits: 'memory' }),
  tollgate('telemetry', 'Tollgate, SQLite FULL, with telemetry', sqlite('full'), { telemetry: true }),
  tollgate('cap', 'Tollgate, SQLite FULL, with a cap', sqlite('full'), { cap: true }),
  tollgate('business', 'Tollgate, SQLite FULL, with telemetry, limits and a cap', sqlite('full'), {
    limits: 'memory',
    telemetry: true,
    cap: true,
  }),
  tollgate('full-2', 'Tollgate, SQLite FULL, two processes', sqlite('full'), { processes: 2 }),
  tollgate('full-4', 'Tollgate, SQLite FULL, four processes', sqlite('full'), { processes: 4 }),
  tollgate('normal-2', 'Tollgate, SQLite NORMAL, two processes', sqlite('normal'), { processes: 2 }),
  tollgate('normal-4', 'Tollgate, SQLite NORMAL, four processes', sqlite('normal'), { processes: 4 }),
  tollgate('postgres', 'Tollgate, PostgreSQL', () => ({ kind: 'postgres' })),
  tollgate('postgres-2', 'Tollgate, PostgreSQL, two processes', () => ({ kind: 'postgres' }), { processes: 2 }),
  tollgate('postgres-4', 'Tollgate, PostgreSQL, four processes', () => ({ kind: 'postgres' }), { processes: 4 }),
  { ...tollgate('identities', 'Tollgate, SQLite FULL, with identities', sqlite('full')), identities: true },
  {
    ...plain,
    id: 'portkey',
    title: 'Portkey 1.15.2',
    run: ({ port }) => [portkeyStart, `--port=${port}`, '--headless'],
    headers: ({ upstreamPort }) => ({
      authorization: 'Bearer sk-mock',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1`,
    }),
  },
  {
    ...plain,
    id: 'llms',
    title: 'llms 1.0.53',
    run: (ports) => [here('gateways/llms.ts'), ...args(ports)],
    model: () => 'mock,mock-1',
  },
];

const needs: Readonly<Record<string, string>> = {
  portkey: portkeyStart,
  llms: peer('@musistudio/llms/dist/cjs/server.cjs'),
};

/** On one core they only show what processes cost one another: measured where they are named, with cores of their own. */
const severalProcesses = new Set(['full-2', 'full-4', 'normal-2', 'normal-4', 'postgres-2', 'postgres-4']);

/** The rows that were asked for and can be run, and those that are not installed. */
export const chooseContestants = (
  only: readonly string[] | null,
): { readonly chosen: readonly Contestant[]; readonly missing: readonly string[] } => {
  const wanted = all.filter(({ id }) => (only === null ? !severalProcesses.has(id) : only.includes(id)));
  const unknown = only?.filter((id) => !all.some((each) => each.id === id)) ?? [];
  if (unknown.length > 0) throw new Error(`no such row: ${unknown.join(', ')}`);
  const isThere = ({ id }: Contestant): boolean => needs[id] === undefined || existsSync(needs[id]);
  return {
    chosen: wanted.filter(isThere),
    missing: wanted.filter((each) => !isThere(each)).map(({ title }) => title),
  };
};

/** How a contestant is asked for a chat; `bodyOf` makes the body for the model's name. */
export const requestOf = (
  contestant: Contestant,
  ports: Ports,
  firstLine: string,
  bodyOf: (model: string) => string = shortChat,
): RequestSpec => ({
  port: contestant.run === null ? ports.upstreamPort : ports.port,
  path: contestant.path,
  headers: contestant.headers(ports, firstLine),
  body: bodyOf(contestant.model(firstLine)),
  identities: contestant.identities,
});
