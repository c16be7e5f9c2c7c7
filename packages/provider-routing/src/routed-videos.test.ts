import type { CallContext, VideoCall } from '@tollgate/provider';
import { sampleCaller, scriptedProvider } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { balance } from './balance.ts';
import { byModel } from './by-model.ts';
import { withModelNames } from './with-model-names.ts';
import { withRetry } from './with-retry.ts';

const context: CallContext = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };
const call: VideoCall = { operationId: 'one', upstreamModel: 'model', prompt: 'A harbour.' };

async function* nothing(): AsyncGenerator<Uint8Array> {}

const required = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('there is none');
  return value;
};

test('asks for a video where it was begun, in whatever process and by whatever turn', async () => {
  const first = scriptedProvider({ name: 'first' });
  const second = scriptedProvider({ name: 'second' });
  const routed = () => balance([{ provider: withRetry(first) }, { provider: second }]);
  const begun = required(routed().videos);
  const jobs = [await begun.start(call, context), await begun.start({ ...call, operationId: 'two' }, context)];
  for (const { job } of jobs)
    expect(await required(routed().videos).poll(job, context)).toMatchObject({ kind: 'done' });
  expect([first.polledJobs, second.polledJobs]).toEqual([['one/8'], ['two/8']]);
});

test('hands what a provider noted of its video to that provider alone', async () => {
  const first = scriptedProvider({ name: 'first' });
  const second = scriptedProvider({ name: 'second' });
  const routed = required(byModel({ model: withModelNames(first, { model: 'renamed' }), other: second }).videos);
  const { job } = await routed.start(call, context);
  const progress = await routed.poll(job, context);
  const reference = progress.kind === 'done' ? (progress.result.videos[0]?.reference ?? null) : null;
  const source = { video: { kind: 'blob', mimeType: 'video/mp4', sizeBytes: 0, read: nothing } as const, reference };
  await routed.start({ ...call, extends: source }, context);
  await routed.start({ ...call, upstreamModel: 'other', extends: source }, context);
  expect(first.videoCalls.at(-1)?.call).toMatchObject({
    upstreamModel: 'renamed',
    extends: { reference: 'note of one' },
  });
  expect(second.videoCalls.at(-1)?.call.extends?.reference).toBeNull();
});

test('does not call a job failed whose provider is not there any more', async () => {
  const gone = required(byModel({ model: scriptedProvider({ name: 'gone' }) }).videos);
  const { job } = await gone.start(call, context);
  const left = required(byModel({ model: scriptedProvider({ name: 'left' }) }).videos);
  const unknown = { code: 'unknown_outcome', detail: 'not_answered' };
  await expect(left.poll(job, context)).rejects.toMatchObject(unknown);
  await expect(left.poll('another text', context)).rejects.toMatchObject(unknown);
});
