import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { ClientRequest } from './client.ts';
import { findDoubleExecutions, findMischarges, findStuck, findUnexplained } from './find-mischarges.ts';
import { createFacts, noteAnswer } from './ledger-of-facts.ts';
import { lastAcknowledged, recheck } from './recheck.ts';
import type { Operation } from './read-operations.ts';
import type { Executions } from './reference-upstream.ts';

// The checks of the torture run must themselves be able to fail: each planted fault is found by one of them.

const ran = (count: number, costMicros = 100n, measured = true): Executions => ({
  count,
  costMicros,
  refusals: 0,
  measured,
});
const request: ClientRequest = { identity: 'id-1', marker: 'id-1-a', fate: 'quick', key: 'k' };
const answer = (body: string, status = 200) => ({ status, body, requestId: 'r', replayed: false });

const operation = (change: Partial<Operation>): Operation => ({
  id: 'o',
  projectId: 'p',
  accountId: 'a',
  keyId: 'k',
  kind: 'chat',
  model: 'm',
  identity: 'id-1',
  fingerprint: 'f',
  state: 'completed',
  holdMicros: 0n,
  chargedMicros: 100n,
  captures: 0,
  pendingMicros: null,
  absorbedMicros: 0n,
  carriedPicos: 0,
  tariffVersion: 't',
  plan: null,
  spends: null,
  serviceTier: null,
  servedTier: null,
  usage: null,
  usageAtLeast: null,
  trace: null,
  attempts: [],
  verdict: null,
  askedModel: null,
  tags: null,
  errorCode: null,
  answerForm: 'json',
  answer: 'stored',
  owner: null,
  dueAtMs: null,
  createdAtMs: 1,
  updatedAtMs: 1,
  endedAtMs: 1,
  ...change,
});
const stored = (change: Partial<Operation> = {}) => new Map([['id-1', operation(change)]]);

test('finds nothing where charges are what ran', () => {
  expect(findMischarges(stored(), new Map([['id-1-a', ran(1)]]))).toEqual([]);
  expect(findMischarges(stored(), new Map([['id-1-b', ran(1)]]))).toEqual([]);
});

test.each<[string, Partial<Operation>, Executions]>([
  ['another charge', { chargedMicros: 99n }, ran(1)],
  ['a charge for nothing', {}, ran(0)],
  ['a hold kept after the end', { holdMicros: 1n }, ran(1)],
  ['a failure that ran', { state: 'failed', chargedMicros: 0n }, ran(1)],
  ['a failure with a charge', { state: 'failed' }, ran(0)],
  ['doubt without its hold', { state: 'uncertain', chargedMicros: 0n }, ran(1)],
  ['doubt with a charge', { state: 'uncertain', holdMicros: 5n }, ran(1)],
])('finds %s', (_, change, executions) => {
  expect(findMischarges(stored(change), new Map([['id-1-a', executions]]))).toHaveLength(1);
});

test('finds an execution that no operation tells of', () => {
  expect(findMischarges(new Map(), new Map([['id-2-a', ran(1)]]))).toEqual(['id-2-a ran without a record']);
});

test('finds a second execution, also by another body', () => {
  expect(findDoubleExecutions(new Map([['id-1-a', ran(2)]]))).toHaveLength(1);
  const both = new Map([
    ['id-1-a', ran(1)],
    ['id-1-b', ran(1)],
  ]);
  expect(findDoubleExecutions(both)).toHaveLength(1);
  expect(findDoubleExecutions(new Map([['id-1-a', ran(1)]]))).toEqual([]);
});

test('finds what never ended', () => {
  expect(findStuck(stored({ state: 'processing' }))).toHaveLength(1);
  expect(findStuck(stored({ state: 'uncertain' }))).toEqual([]);
});

test('finds an uncertain outcome without a cause, and takes a lost measure or a death for one', () => {
  const uncertain = stored({ state: 'uncertain', chargedMicros: 0n, holdMicros: 5n });
  const measured = new Map([['id-1-a', ran(1)]]);
  const told = createFacts();
  noteAnswer(told, request, answer('lost', 502));
  expect(findUnexplained(uncertain, measured, told)).toHaveLength(1);
  expect(findUnexplained(uncertain, new Map([['id-1-a', ran(1, 100n, false)]]), told)).toEqual([]);
  expect(findUnexplained(stored(), measured, told)).toEqual([]);
  const died = createFacts();
  noteAnswer(died, request, null);
  expect(findUnexplained(uncertain, measured, died)).toEqual([]);
  // Asked for again, it is reported as unknown by another process.
  noteAnswer(died, request, { ...answer('lost', 502), replayed: true });
  expect(findUnexplained(uncertain, measured, died)).toEqual([]);
  expect(findUnexplained(uncertain, measured, createFacts())).toHaveLength(1);
});

test('finds answers that change, answers for two bodies and statuses that no client should see', () => {
  const facts = createFacts();
  noteAnswer(facts, request, answer('one'));
  noteAnswer(facts, request, answer('one'));
  expect(facts.violations).toEqual([]);
  noteAnswer(facts, request, answer('two'));
  noteAnswer(facts, { ...request, marker: 'id-1-b' }, answer('one'));
  noteAnswer(facts, request, answer('oops', 500));
  expect(facts.violations).toHaveLength(3);
});

test('finds an answer that is reported in other bytes after a kill, and none that is reported as before', async () => {
  let body = 'one';
  const server = createServer((_, response) => void response.end(body));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const victims = { origin: () => `http://127.0.0.1:${port}` };
  const facts = createFacts();
  noteAnswer(facts, request, answer('one'));
  await recheck(lastAcknowledged(facts), victims, facts);
  expect(facts.violations).toEqual([]);
  body = 'two';
  await recheck(lastAcknowledged(facts), victims, facts);
  expect(facts.violations).toEqual(['id-1: answered with other bytes than before']);
});
