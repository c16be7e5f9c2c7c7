import {
  isNotExecuted,
  type CallContext,
  type GenerationCall,
  type NotExecutedReason,
  type Part,
  type Provider,
} from '@tollgate/provider';
import { sampleCaller, scriptedProvider, type ScriptedStep } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { withFallback } from './with-fallback.ts';

const call: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'model',
  systemInstruction: null,
  contents: [],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
};

const refused = (reason: NotExecutedReason, rest: object = {}): ScriptedStep => ({
  kind: 'not_executed',
  reason,
  ...rest,
});

interface Outcome {
  readonly outcome: string;
  readonly retryAfterMs: number | undefined;
  readonly asked: readonly (string | undefined)[];
  readonly pieces: number;
}

const run = async (provider: Provider, signal = new AbortController().signal): Promise<Outcome> => {
  const asked: (string | undefined)[] = [];
  let pieces = 0;
  const context: CallContext = {
    caller: sampleCaller,
    signal,
    recordAttempt: (attempt) => void asked.push(attempt.provider),
  };
  const onParts = (parts: readonly Part[]): void => {
    pieces += parts.length;
  };
  const onCallPiece = (): void => {
    pieces += 1;
  };
  const failure: unknown = await provider.generateStream?.(call, context, onParts, onCallPiece).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  const certain = isNotExecuted(failure) ? failure : undefined;
  return {
    outcome: certain?.reason ?? (failure === undefined ? 'answered' : 'unknown'),
    retryAfterMs: certain?.retryAfterMs,
    asked,
    pieces,
  };
};

const ofSteps = (...steps: readonly ScriptedStep[]): Provider =>
  withFallback(steps.map((step, index) => scriptedProvider({ name: `p${index}`, steps: [step] })));

test.each(['rate_limited', 'unavailable', 'failed'] as const)('asks the next one after %s', async (reason) => {
  expect(await run(ofSteps(refused(reason), { kind: 'answer' }))).toMatchObject({
    outcome: 'answered',
    asked: ['p0', 'p1'],
  });
});

test('asks the next one where credentials are refused or the model is unknown', async () => {
  const steps = [refused('unavailable', { lasting: true }), { kind: 'answer' }] as const;
  expect(await run(ofSteps(...steps))).toMatchObject({ outcome: 'answered', asked: ['p0', 'p1'] });
});

test('passes over a provider that cannot express the call, which then speaks for itself', async () => {
  const cannot = refused('unsupported', { sent: false, field: 'topK' });
  expect(await run(ofSteps(cannot, { kind: 'answer' }))).toMatchObject({ outcome: 'answered', asked: ['p0', 'p1'] });
  expect(await run(ofSteps(cannot, refused('invalid_request')))).toMatchObject({ outcome: 'invalid_request' });
  expect(await run(ofSteps(cannot, refused('input_limit')))).toMatchObject({ outcome: 'input_limit' });
  expect(await run(ofSteps(cannot, { kind: 'unknown' }, { kind: 'answer' }))).toMatchObject({ outcome: 'unknown' });
});

test('refuses with the first field where no provider can express the call', async () => {
  const topK = refused('unsupported', { sent: false, field: 'topK' });
  const safety = refused('unsupported', { sent: false, field: 'safety' });
  const context: CallContext = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };
  for (const [steps, field] of [
    [[topK, safety], 'topK'],
    [[safety], 'safety'],
  ] as const)
    await expect(ofSteps(...steps).generate?.(call, context)).rejects.toMatchObject({ reason: 'unsupported', field });
});

test('tells to come back where the only provider that can express the call is out of reach', async () => {
  const cannot = refused('unsupported', { sent: false });
  const busy = refused('rate_limited', { retryAfterMs: 4_000 });
  for (const steps of [[cannot, busy] as const, [busy, cannot] as const])
    expect(await run(ofSteps(...steps))).toMatchObject({ outcome: 'rate_limited', retryAfterMs: 4_000 });
  expect(await run(ofSteps(busy, cannot, refused('invalid_request')))).toMatchObject({ outcome: 'rate_limited' });
});

test.each(['invalid_request', 'input_limit', 'cancelled'] as const)(
  'asks no other provider after %s',
  async (reason) => {
    expect(await run(ofSteps(refused(reason), { kind: 'answer' }))).toMatchObject({ outcome: reason, asked: ['p0'] });
  },
);

test('asks no other provider where the outcome is unknown', async () => {
  expect(await run(ofSteps({ kind: 'unknown' }, { kind: 'answer' }))).toMatchObject({
    outcome: 'unknown',
    asked: ['p0'],
  });
});

test('asks no other provider after a piece, whatever is thrown', async () => {
  const pieces: readonly Part[] = [{ kind: 'text', text: 'Hel' }];
  const broken = refused('unavailable', { pieces });
  expect(await run(ofSteps(broken, { kind: 'answer' }))).toMatchObject({ asked: ['p0'], pieces: 1 });
});

test('asks no other provider after a piece of a call', async () => {
  const broken = refused('unavailable', { pieces: [{ kind: 'call_piece', id: 'a', name: 'f', arguments: '' }] });
  expect(await run(ofSteps(broken, { kind: 'answer' }))).toMatchObject({ asked: ['p0'], pieces: 1 });
});

test('asks no other provider for an aborted call', async () => {
  const controller = new AbortController();
  const until = Promise.resolve().then(() => controller.abort());
  const provider = ofSteps({ kind: 'wait', until, next: refused('unavailable') }, { kind: 'answer' });
  expect(await run(provider, controller.signal)).toMatchObject({ outcome: 'unavailable', asked: ['p0'] });
});

test('tells the reason that most invites to come back, and the earliest time', async () => {
  const busy = refused('rate_limited', { retryAfterMs: 9_000 });
  const sooner = refused('unavailable', { retryAfterMs: 4_000 });
  expect(await run(ofSteps(refused('failed'), busy, sooner))).toMatchObject({
    outcome: 'rate_limited',
    retryAfterMs: 4_000,
  });
});

test('keeps the failure of a provider that was out of reach where the next one refuses the content', async () => {
  expect(await run(ofSteps(refused('failed'), refused('invalid_request'), { kind: 'answer' }))).toMatchObject({
    outcome: 'failed',
    asked: ['p0', 'p1'],
  });
});

test('passes over a provider without the method', async () => {
  const { generateStream: _stream, ...whole } = scriptedProvider({ name: 'whole' });
  expect(await run(withFallback([whole, scriptedProvider({ name: 'streams' })]))).toMatchObject({ asked: ['streams'] });
});

test('refuses two providers of one name', () => {
  expect(() => withFallback([scriptedProvider(), withFallback([scriptedProvider()])])).toThrow(
    'two providers are called',
  );
});

test('closes everyone, also after one that cannot be closed', async () => {
  const closed: string[] = [];
  const closing = (name: string, fails: boolean): Provider => ({
    name,
    close: () => {
      closed.push(name);
      return fails ? Promise.reject(new Error('stuck')) : Promise.resolve();
    },
  });
  const member = closing('b', false);
  await expect(withFallback([closing('a', true), member, member]).close?.()).rejects.toThrow('stuck');
  expect(closed).toEqual(['a', 'b']);
});
