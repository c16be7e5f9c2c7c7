import { NotExecuted, type BatchCall, type BatchCallItem, type GenerationCall } from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { sandboxProvider } from './sandbox-provider.ts';

const context = () => ({ caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} });

const item = (key: string, text: string): BatchCallItem => {
  const call: GenerationCall = {
    operationId: key,
    upstreamModel: 'any',
    systemInstruction: null,
    contents: [{ role: 'user', parts: [{ kind: 'text', text }] }],
    tools: [],
    toolChoice: { kind: 'auto' },
    responseFormat: { kind: 'text' },
    sampling: {},
    outputTokensMax: 100,
  };
  return { key, kind: 'generation', call };
};

const batchOf = (displayName: string | null, ...items: readonly BatchCallItem[]): BatchCall => ({
  operationId: 'batch-1',
  upstreamModel: 'any',
  displayName,
  items,
});

const batches = () => {
  const sandbox = sandboxProvider({ now: () => 0, sleep: () => Promise.resolve(), batches: true });
  if (sandbox.batches?.cancel === undefined) throw new Error('this sandbox takes batches');
  return { ...sandbox.batches, cancel: sandbox.batches.cancel };
};

test('takes batches and keeps caches only where it is asked to', () => {
  const sandbox = sandboxProvider();
  expect([sandbox.batches, sandbox.caches]).toEqual([undefined, undefined]);
});

test('goes on for as many questions as the name of the batch says, then responds to each item as its prompt says', async () => {
  const { start, poll } = batches();
  const embedding: BatchCallItem = {
    key: 'vectors',
    kind: 'embedding',
    call: { operationId: 'e', upstreamModel: 'embedding-001', input: { kind: 'texts', texts: ['a'] }, dimensions: 4 },
  };
  const { job } = await start(
    batchOf(
      'Night [[sandbox: polls 2]]',
      item('a', '[[sandbox: echo one]]'),
      item('b', '[[sandbox: fail]]'),
      item('c', '[[sandbox: unknown]]'),
      embedding,
    ),
    context(),
  );
  expect((await poll(job, context())).kind).toBe('running');
  expect((await poll(job, context())).kind).toBe('running');
  const done = await poll(job, context());
  if (done.kind !== 'done') throw new Error('it is done');
  expect(done.result.items).toMatchObject([
    { key: 'a', kind: 'generation', generation: { text: 'one' } },
    { key: 'b', kind: 'failed', reason: 'failed' },
    { key: 'vectors', kind: 'embedding' },
  ]);
});

test('begins nothing of a batch that was cancelled', async () => {
  const { start, poll, cancel } = batches();
  const { job } = await start(batchOf('[[sandbox: polls 9]]', item('a', 'Hello')), context());
  await cancel(job, context());
  expect(await poll(job, context())).toEqual({ kind: 'done', result: { items: [{ key: 'a', kind: 'cancelled' }] } });
});

test('fails a batch as its name says, and knows none of another sandbox', async () => {
  const { start, poll } = batches();
  await expect(start(batchOf('[[sandbox: unavailable]]'), context())).rejects.toBeInstanceOf(NotExecuted);
  const { job } = await start(batchOf('[[sandbox: filter]]', item('a', 'Hello')), context());
  await expect(poll(job, context())).rejects.toBeInstanceOf(NotExecuted);
  await expect(batches().poll(job, context())).rejects.not.toBeInstanceOf(NotExecuted);
});
