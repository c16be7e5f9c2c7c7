import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccounts, openGateway, type TortureAccount } from '../torture/accounts.ts';
import { createSqliteStore } from '../torture/sqlite-store.ts';
import type { TortureStore } from '../torture/store-choice.ts';
import { killedWires, readStream, send, type KilledWire, type Killing, type ReadStream } from './killed-wires.ts';
import { startStreamUpstream, type StreamUpstream } from './stream-upstream.ts';
import { startStreamVictim, type StreamVictim, type StreamVictimSetup } from './stream-victim-process.ts';

const folder = path.resolve(import.meta.dirname, '../../node_modules/.cache/streams');

const points = ['before first piece', 'after first piece', 'before settlement', 'after settlement'] as const;
type Point = (typeof points)[number];

let store: TortureStore;
let upstream: StreamUpstream;
let account: TortureAccount;
/** Requests that the upstream got in all. */
let askedSum = 0;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  store = createSqliteStore(folder);
  upstream = await startStreamUpstream();
  const [first] = await createAccounts(store.choice);
  if (first === undefined) throw new Error('there is no account');
  account = first;
});

afterAll(async () => {
  await upstream.close();
  await store.close();
});

const start = (stopsAt: StreamVictimSetup['stopsAt']): Promise<StreamVictim> => {
  if (store.choice.kind !== 'sqlite') throw new Error('these gateways share a file');
  return startStreamVictim({ path: store.choice.path, upstreamUrl: upstream.url, stopsAt });
};

const promptOf = (wire: KilledWire, point: Point): string => `prompt-${wire.name}-${point.replaceAll(' ', '-')}`;

/** Brings a stream of each wire to a point, kills their process there, and returns what their clients got. */
const killAt = async (point: Point): Promise<readonly ReadStream[]> => {
  const stopsAt = point === 'before settlement' || point === 'after settlement' ? point : 'never';
  const victim = await start(stopsAt);
  const killing = { origin: victim.origin, key: account.key };
  const firsts = killedWires.map(() => Promise.withResolvers<void>());
  const reading = killedWires.map((wire, at) =>
    readStream(killing, wire, promptOf(wire, point), (text) => {
      if (text.includes('Good')) firsts[at]?.resolve();
    }),
  );
  askedSum += killedWires.length;
  await upstream.received(askedSum);
  if (point !== 'before first piece') {
    upstream.begin();
    await Promise.all(firsts.map(({ promise }) => promise));
  }
  if (stopsAt !== 'never') {
    upstream.finish();
    await victim.stopped(killedWires.length);
  }
  await victim.kill();
  return Promise.all(reading);
};

/** The record under which a request came to its end, or waits for an operator. */
const endOf = async (killing: Killing, wire: KilledWire, prompt: string): Promise<ReadStream> => {
  for (;;) {
    const repeat = await readStream(killing, wire, prompt);
    if (!repeat.text.includes('request_in_progress')) return repeat;
    await delay(100);
  }
};

const requestId = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

test.each(points)(
  'never shows success, runs once and charges once of streams whose process is killed %s',
  async (point) => {
    for (const [at, { text, broke }] of (await killAt(point)).entries()) {
      const wire = killedWires[at];
      expect([wire?.name, broke, text.includes(wire?.success ?? '')]).toEqual([wire?.name, true, false]);
      expect(text.includes('Good')).toBe(point !== 'before first piece');
    }
    const next = await start('never');
    const killing = { origin: next.origin, key: account.key };
    for (const wire of killedWires) {
      const prompt = promptOf(wire, point);
      const repeat = await endOf(killing, wire, prompt);
      expect([wire.name, upstream.asked(prompt)]).toEqual([wire.name, 1]);
      const isSettled = point === 'after settlement';
      const told = [wire.success, ' day.', 'settlement_pending'].map((part) => repeat.text.includes(part));
      const status = isSettled ? 200 : 409;
      expect([wire.name, repeat.status, ...told]).toEqual([wire.name, status, isSettled, isSettled, !isSettled]);
      const [id = ''] = requestId.exec(repeat.text) ?? [];
      const record: unknown = await (await send(killing, `/requests/${id}`)).json();
      const ended = isSettled ? { status: 'completed' } : { status: 'uncertain', charged_credits: 0, response: null };
      expect(record).toMatchObject(ended);
    }
    await next.kill();
  },
);

test('leaves accounts behind that add up, with one charge for each stream that was settled', async () => {
  const gateway = await openGateway(store.choice);
  const uncertain = await gateway.admin.listOperations({ kind: 'state', state: 'uncertain' });
  expect(uncertain).toHaveLength(3 * killedWires.length);
  for (const { id } of uncertain) {
    // A process that is killed keeps nothing of what it sent.
    expect(await gateway.admin.readStoredAnswer(id)).toBeNull();
    expect(await gateway.admin.resolveOperation(id, { executed: false })).toMatchObject({ kind: 'resolved' });
  }
  const wallet = await gateway.admin.readWallet(account.accountId);
  const entries = await gateway.admin.readStatement(account.accountId);
  expect(entries.filter(({ kind }) => kind === 'debit')).toHaveLength(killedWires.length);
  expect(wallet?.reservedMicros).toBe(0n);
  expect((await gateway.admin.audit()).violations).toEqual([]);
  await gateway.close();
});
