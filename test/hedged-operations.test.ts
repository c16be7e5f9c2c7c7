import { afterEach, expect, test } from 'vitest';
import type { Provider } from '../packages/provider/src/index.ts';
import { UnknownOutcome } from '../packages/provider/src/index.ts';
import { withFallback, withHedging } from '../packages/provider-routing/src/index.ts';
import { memoryStorage } from '../packages/storage-memory/src/index.ts';
import { fakeClock, scriptedProvider, type ScriptedStep } from '../packages/testing/src/fakes.ts';
import { createGateway, silentLogger, type Gateway } from '../packages/tollgate/src/index.ts';

const tariff = {
  version: '1',
  models: { '*': { perMillion: { input_text_tokens: '1000000', output_text_tokens: '1000000' } } },
};
const usageOf = (input: number, output: number) =>
  [
    { unit: 'input_text_tokens', quantity: input, confirmed: true },
    { unit: 'output_text_tokens', quantity: output, confirmed: true },
  ] as const;

let gateway: Gateway | undefined;
afterEach(async () => gateway?.close());

const open = async (provider: Provider) => {
  const opened = await createGateway({ provider, storage: memoryStorage(), tariff, logger: silentLogger });
  gateway = opened;
  const account = await opened.admin.createAccount({ name: 'test' });
  await opened.admin.deposit({ accountId: account.id, amountMicros: 100_000_000_000n, reference: '1' });
  const project = await opened.admin.createProject({ accountId: account.id, name: 'test' });
  const key = await opened.admin.createKey({ projectId: project?.id ?? '', model: 'flash-2.5' });
  const chat = async (): Promise<{ readonly status: number; readonly id: string }> => {
    const response = await opened.fetch(
      new Request('http://gateway.test/api/v1/ai/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${key?.key ?? ''}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
      }),
    );
    await response.text();
    return { status: response.status, id: response.headers.get('x-request-id') ?? '' };
  };
  return { admin: opened.admin, chat };
};

/** Loses its answer when it is aborted, and says what it had used. */
const losing = (name: string): Provider & { readonly asked: Promise<void> } => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  return {
    name,
    asked,
    generate: (_, { signal, recordAttempt }) =>
      new Promise((_resolve, reject) => {
        resolve();
        signal.addEventListener('abort', () => {
          recordAttempt({ startedAtMs: 1, durationMs: 1, status: 200, outcome: 'unknown', upstreamId: 'req_lost' });
          reject(new UnknownOutcome('aborted', undefined, usageOf(40, 0)));
        });
      }),
  };
};

const answering: ScriptedStep = { kind: 'answer', generation: { usage: usageOf(3, 2) } };

test('charges the client for the answer that it got, and keeps the bill of the other provider on record', async () => {
  const clock = fakeClock();
  const first = losing('first');
  const second = scriptedProvider({ name: 'second', steps: [answering] });
  const { admin, chat } = await open(
    withHedging([first, second], { afterMs: 1_000, now: clock.now, after: clock.after }),
  );
  const asked = chat();
  await first.asked;
  await clock.advance(1_000);
  const { status, id } = await asked;
  expect(status).toBe(200);
  const operation = await admin.readOperation(id);
  expect(operation).toMatchObject({ state: 'completed', chargedMicros: 5_000_000n, usageAtLeast: null });
  expect(operation?.attempts).toMatchObject([
    { provider: 'second', outcome: 'answered' },
    {
      provider: 'first',
      outcome: 'unknown',
      abandoned: true,
      upstreamId: 'req_lost',
      usageAtLeast: [{ unit: 'input_text_tokens', quantity: 40 }],
    },
  ]);
  // The host's bill has both, and the operation agrees with it.
  const rows = [{ id: 'req_lost', usage: [{ unit: 'input_text_tokens', quantity: 41 }], line: 2 }];
  const report = await admin.reconcile({ rows });
  expect([report.differencesCount, report.unmatchedCount]).toEqual([0, 0]);
});

test('keeps the hold where a provider was aborted that may have run, and no other one answered', async () => {
  const clock = fakeClock();
  const first = losing('first');
  const second = scriptedProvider({ name: 'second', steps: [{ kind: 'not_executed', reason: 'invalid_request' }] });
  const { admin, chat } = await open(
    withFallback([first, second], { firstPieceMs: 1_000, now: clock.now, after: clock.after }),
  );
  const asked = chat();
  await first.asked;
  await clock.advance(1_000);
  const { status, id } = await asked;
  expect(status).toBe(502);
  const operation = await admin.readOperation(id);
  const usageAtLeast = [{ unit: 'input_text_tokens', quantity: 40 }];
  expect(operation).toMatchObject({ state: 'uncertain', usageAtLeast });
  expect(operation?.attempts.map((attempt) => [attempt.provider, attempt.usageAtLeast])).toEqual([
    ['second', undefined],
    ['first', usageAtLeast],
  ]);
});
