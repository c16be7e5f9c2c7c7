import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { Content, NotExecutedReason } from '@tollgate/provider';
import { checkMeasured } from './generation-checks.ts';
import { answerOf, checkSecrets, checkUnknown, refusalOf, runScenario, weatherTool } from './provider-run.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

/** One rule for providers, and how it is seen to be kept. */
export interface ProviderCase {
  readonly title: string;
  readonly run: (underTest: ProviderUnderTest) => Promise<void>;
}

/** How long a provider may take to stop waiting after its signal aborted. */
const givesUpWithinMs = 1_000;

const smallImage = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const mediaTurn: Content = {
  role: 'user',
  parts: [
    { kind: 'text', text: 'Describe these.' },
    { kind: 'media', mimeType: 'image/png', data: smallImage },
    { kind: 'media', mimeType: 'audio/wav', data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=' },
    { kind: 'media', mimeType: 'application/pdf', data: 'JVBERi0xLjQKJSVFT0YK', filename: 'empty.pdf' },
    { kind: 'media', mimeType: 'text/plain', data: Buffer.from('plain words').toString('base64') },
  ],
};

const answers: readonly ProviderCase[] = [
  {
    title: 'answers a text with confirmed usage',
    run: async (underTest) => {
      const answer = answerOf(await runScenario(underTest, 'text'));
      assert.notEqual(answer.text, '');
      assert.deepEqual([answer.finish, answer.functionCalls], ['stop', []]);
      checkMeasured(answer);
    },
  },
  {
    title: 'reports units that do not overlap',
    run: async (underTest) => {
      const answer = answerOf(await runScenario(underTest, 'measured'));
      const measured = answer.usage
        .filter(({ quantity }) => quantity > 0)
        .map(({ unit, quantity }) => [unit, quantity]);
      assert.deepEqual(Object.fromEntries(measured), {
        input_text_tokens: 60,
        cached_input_tokens: 40,
        output_text_tokens: 30,
        thought_tokens: 20,
      });
      checkMeasured(answer);
    },
  },
  {
    title: 'proposes function calls with ids of their own and JSON arguments',
    run: async (underTest) => {
      const answer = answerOf(await runScenario(underTest, 'function_call', { call: { tools: [weatherTool] } }));
      assert.equal(answer.finish, 'stop');
      assert.deepEqual(
        answer.functionCalls.map((call): readonly unknown[] => [call.name, JSON.parse(call.arguments) as unknown]),
        [
          ['get_weather', { city: 'Lisbon' }],
          ['get_weather', { city: 'Porto' }],
        ],
      );
      checkMeasured(answer);
    },
  },
  {
    title: 'hands the state of its calls back to the upstream unchanged',
    run: async (underTest) => {
      const tools = [weatherTool];
      const { functionCalls } = answerOf(await runScenario(underTest, 'function_call', { call: { tools } }));
      const contents: readonly Content[] = [
        { role: 'user', parts: [{ kind: 'text', text: 'What is the weather in Lisbon and Porto?' }] },
        { role: 'model', parts: functionCalls },
        {
          role: 'user',
          parts: functionCalls.map(({ id, name }) => ({ kind: 'function_response', id, name, response: '{"c":21}' })),
        },
      ];
      const answer = answerOf(await runScenario(underTest, 'function_result', { call: { tools, contents } }));
      assert.notEqual(answer.text, '');
      assert.ok(underTest.stateCameBack(answer), 'the upstream did not get its state back');
    },
  },
  {
    title: 'answers bare JSON for a schema',
    run: async (underTest) => {
      const schema = { ...weatherTool.parameters, additionalProperties: false };
      const responseFormat = { kind: 'json_schema', name: 'city', schema } as const;
      const answer = answerOf(await runScenario(underTest, 'json', { call: { responseFormat } }));
      const value: unknown = JSON.parse(answer.text);
      assert.ok(typeof value === 'object' && value !== null && 'city' in value && typeof value.city === 'string');
    },
  },
  {
    title: 'takes an image, audio, a document and a text file',
    run: async (underTest) => {
      const answer = answerOf(await runScenario(underTest, 'media', { call: { contents: [mediaTurn] } }));
      assert.notEqual(answer.text, '');
      checkMeasured(answer);
    },
  },
  {
    title: 'says that an answer was cut at the output limit',
    run: async (underTest) => {
      const answer = answerOf(await runScenario(underTest, 'length'));
      assert.equal(answer.finish, 'length');
      checkMeasured(answer);
    },
  },
  {
    title: 'answers no text for refused content, and what it cost',
    run: async (underTest) => {
      const answer = answerOf(await runScenario(underTest, 'content_filter'));
      assert.deepEqual([answer.finish, answer.text, answer.functionCalls], ['content_filter', '', []]);
      checkMeasured(answer);
    },
  },
  {
    title: 'confirms no usage that was not measured',
    run: async (underTest) => {
      const answer = answerOf(await runScenario(underTest, 'missing_usage'));
      assert.ok(!answer.usage.some(({ confirmed }) => confirmed), 'usage is confirmed that nobody measured');
    },
  },
];

const refusalCase = (reason: NotExecutedReason & ('invalid_request' | 'input_limit' | 'unavailable' | 'failed')) => ({
  title: `tells ${reason} as certain non-execution, in its own words`,
  run: async (underTest: ProviderUnderTest): Promise<void> => {
    const run = await runScenario(underTest, reason);
    const refusal = refusalOf(run);
    assert.equal(refusal.reason, reason);
    checkSecrets(refusal, underTest.secrets);
    assert.ok(run.attempts.length > 0, 'no attempt is recorded');
    assert.ok(run.attempts.every(({ outcome }) => outcome === 'refused' || outcome === 'not_sent'));
  },
});

const failures: readonly ProviderCase[] = [
  refusalCase('invalid_request'),
  refusalCase('input_limit'),
  refusalCase('unavailable'),
  refusalCase('failed'),
  {
    title: 'says when to come back to a busy upstream',
    run: async (underTest) => {
      const run = await runScenario(underTest, 'rate_limited');
      const refusal = refusalOf(run);
      assert.deepEqual([refusal.reason, refusal.retryAfterMs], ['rate_limited', 3_000]);
      checkSecrets(refusal, underTest.secrets);
      assert.ok(run.attempts.length > 0 && run.attempts.every(({ outcome }) => outcome === 'refused'));
    },
  },
  {
    title: 'leaves the outcome unknown when the answer is lost',
    run: async (underTest) => {
      const run = await runScenario(underTest, 'unknown');
      checkUnknown(run);
      checkSecrets(run.failure, underTest.secrets);
    },
  },
  {
    title: 'carries built-in tools, or refuses them before it sends anything',
    run: async (underTest) => {
      const tools = [{ kind: 'code_execution' }, { kind: 'url_context' }] as const;
      const run = await runScenario(underTest, 'text', { call: { tools } });
      if (run.answer !== undefined) {
        answerOf(run);
        return;
      }
      assert.equal(refusalOf(run).reason, 'invalid_request');
      assert.deepEqual(run.attempts, []);
    },
  },
];

const conduct: readonly ProviderCase[] = [
  {
    title: 'records every wire call once',
    run: async (underTest) => {
      const before = underTest.wireCalls();
      const run = await runScenario(underTest, 'busy_once');
      assert.equal(run.attempts.length, underTest.wireCalls() - before);
      if (run.answer === undefined) assert.equal(refusalOf(run).reason, 'rate_limited');
      else assert.equal(run.attempts.at(-1)?.outcome, 'answered');
    },
  },
  {
    title: 'makes no second wire call after one that may have run',
    run: async (underTest) => {
      const before = underTest.wireCalls();
      const run = await runScenario(underTest, 'unknown');
      assert.deepEqual([underTest.wireCalls() - before, run.attempts.length], [1, 1]);
    },
  },
  {
    title: 'keeps the attempts of calls at the same time apart',
    run: async (underTest) => {
      const runs = await Promise.all([runScenario(underTest, 'text'), runScenario(underTest, 'text')]);
      for (const run of runs) {
        answerOf(run);
        assert.deepEqual(
          run.attempts.map(({ outcome }) => outcome),
          ['answered'],
        );
      }
    },
  },
  {
    title: 'sends nothing for a call that is already given up',
    run: async (underTest) => {
      const before = underTest.wireCalls();
      const run = await runScenario(underTest, 'text', { signal: AbortSignal.abort() });
      assert.equal(refusalOf(run).reason, 'cancelled');
      assert.equal(underTest.wireCalls(), before);
      assert.ok(run.attempts.every(({ outcome }) => outcome === 'not_sent'));
    },
  },
  {
    title: 'stops waiting when the gateway gives up, and leaves the outcome unknown',
    run: async (underTest) => {
      const controller = new AbortController();
      const received = underTest.received(underTest.wireCalls() + 1);
      const running = runScenario(underTest, 'hang', { signal: controller.signal });
      await received;
      controller.abort();
      checkUnknown(await within(running, givesUpWithinMs));
    },
  },
  {
    title: 'leaves nothing on the signal of a finished call',
    run: async (underTest) => {
      const { signal } = new AbortController();
      answerOf(await runScenario(underTest, 'text', { signal }));
      assert.deepEqual(getEventListeners(signal, 'abort'), []);
    },
  },
  {
    title: 'has a name and closes more than once',
    run: async ({ provider }) => {
      assert.ok(typeof provider.name === 'string' && provider.name !== '');
      await provider.close?.();
      await provider.close?.();
    },
  },
];

const within = <T>(promise: Promise<T>, ms: number): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new assert.AssertionError({ message: `still waiting after ${ms} ms` })), ms);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

/** The rules of a provider that generates. */
export const providerCases: readonly ProviderCase[] = [...answers, ...failures, ...conduct];
