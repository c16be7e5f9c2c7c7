import { NotExecuted, type Attempt, type LiveCall } from '@tollgate/provider';
import { sampleCaller, scriptedLive } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { withFallback } from './with-fallback.ts';
import { withModelNames } from './with-model-names.ts';

const call: LiveCall = { operationId: 'operation', upstreamModel: 'live-model', kind: 'live', config: {} };

const opening = () => {
  const attempts: Attempt[] = [];
  const recordAttempt = (attempt: Attempt): void => void attempts.push(attempt);
  return { attempts, context: { caller: sampleCaller, signal: new AbortController().signal, recordAttempt } };
};

test('opens a session with the next provider where one was certainly not opened', async () => {
  const [first, second] = [scriptedLive(), scriptedLive()];
  first.script('not_executed');
  const provider = withFallback([
    { name: 'first', live: first.live },
    { name: 'second', live: second.live },
  ]);
  const { attempts, context } = opening();
  await provider.live?.connect(call, context);
  expect([first.sessions.length, second.sessions.length]).toEqual([0, 1]);
  expect(attempts.map(({ provider: name, outcome }) => [name, outcome])).toEqual([
    ['first', 'not_sent'],
    ['second', 'answered'],
  ]);
});

test('opens no second session where the first may be open', async () => {
  const [first, second] = [scriptedLive(), scriptedLive()];
  first.script('unknown');
  const provider = withFallback([
    { name: 'first', live: first.live },
    { name: 'second', live: second.live },
  ]);
  await expect(provider.live?.connect(call, opening().context)).rejects.not.toBeInstanceOf(NotExecuted);
  expect(second.sessions).toEqual([]);
});

test('knows a model by the name of the member, and has no sessions where no member has', async () => {
  const { live, sessions } = scriptedLive();
  const provider = withModelNames({ name: 'one', live }, { 'live-model': 'their-model' });
  await provider.live?.connect(call, opening().context);
  expect(sessions[0]?.call.upstreamModel).toBe('their-model');
  expect(withFallback([{ name: 'one' }, { name: 'two' }]).live).toBeUndefined();
});
