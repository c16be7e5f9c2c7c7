import assert from 'node:assert/strict';
import type { Content, GenerationCall } from '@tollgate/provider';
import { checkMeasured } from '../generation-checks.ts';
import type { ProviderCase } from '../provider-case.ts';
import type { AnswerRule, AskingForAnswer } from './answer-rule.ts';
import { carriedRules } from './carried-rules.ts';
import { contextRules } from './context-rules.ts';
import { measureRules } from './measure-rules.ts';
import { mediaRules } from './media-rules.ts';
import { wholenessRules } from './wholeness-rules.ts';
import { answerOf, refusalOf, weatherTool } from '../provider-run.ts';
import { refusalWords } from '../provider-under-test.ts';

/** Together and alone: some upstreams take a search beside no other tool. */
const builtInTools: readonly GenerationCall['tools'][] = [
  [{ kind: 'code_execution' }, { kind: 'url_context' }],
  [{ kind: 'web_search' }],
  [{ kind: 'web_search', allowedDomains: ['example.com'], usesMax: 2 }],
];

const formRules: readonly AnswerRule[] = [
  {
    title: 'returns a text with confirmed usage',
    promise: 'P2',
    run: async (underTest, ask) => {
      const answer = answerOf(await ask(underTest, 'text'));
      assert.notEqual(answer.text, '');
      assert.deepEqual([answer.finish, answer.functionCalls], ['stop', []]);
      checkMeasured(answer);
    },
  },
  {
    title: 'records what the upstream calls the request',
    promise: 'P19',
    run: async (underTest, ask) => {
      const { attempts } = await ask(underTest, 'text');
      assert.equal(attempts.at(-1)?.upstreamId, underTest.upstreamId(), 'the id of the request is not on record');
    },
  },
  {
    title: 'reports units that do not overlap',
    promise: 'P3',
    run: async (underTest, ask) => {
      const answer = answerOf(await ask(underTest, 'measured'));
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
    promise: 'P5',
    run: async (underTest, ask) => {
      const answer = answerOf(await ask(underTest, 'function_call', { call: { tools: [weatherTool] } }));
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
    promise: 'P7',
    run: async (underTest, ask) => {
      const tools = [weatherTool];
      const { functionCalls } = answerOf(await ask(underTest, 'function_call', { call: { tools } }));
      const contents: readonly Content[] = [
        { role: 'user', parts: [{ kind: 'text', text: 'What is the weather in Lisbon and Porto?' }] },
        { role: 'model', parts: functionCalls },
        {
          role: 'user',
          parts: functionCalls.map(({ id, name }) => ({ kind: 'function_response', id, name, response: '{"c":21}' })),
        },
      ];
      const answer = answerOf(await ask(underTest, 'function_result', { call: { tools, contents } }));
      assert.notEqual(answer.text, '');
      assert.ok(underTest.stateCameBack(answer), 'the upstream did not get its state back');
    },
  },
  {
    title: 'answers bare JSON for a schema',
    promise: 'P9',
    run: async (underTest, ask) => {
      const schema = { ...weatherTool.parameters, additionalProperties: false };
      const responseFormat = { kind: 'json_schema', name: 'city', schema } as const;
      const answer = answerOf(await ask(underTest, 'json', { call: { responseFormat } }));
      const value: unknown = JSON.parse(answer.text);
      assert.ok(typeof value === 'object' && value !== null && 'city' in value && typeof value.city === 'string');
    },
  },
  {
    title: 'says that an answer was cut at the output limit',
    promise: 'P10',
    run: async (underTest, ask) => {
      const answer = answerOf(await ask(underTest, 'length'));
      assert.equal(answer.finish, 'length');
      checkMeasured(answer);
    },
  },
  {
    title: 'returns no text for refused content, and what it cost',
    promise: 'P11',
    run: async (underTest, ask) => {
      const run = await ask(underTest, 'content_filter');
      const answer = answerOf(run);
      assert.ok(
        !JSON.stringify([answer.text, answer.parts]).includes(refusalWords),
        'the explanation of a refusal is in the answer',
      );
      assert.deepEqual([answer.finish, answer.text, answer.functionCalls], ['content_filter', '', []]);
      checkMeasured(answer);
    },
  },
  {
    title: 'carries built-in tools, or refuses them before it sends anything',
    promise: 'P12',
    run: async (underTest, ask) => {
      for (const tools of builtInTools) {
        const run = await ask(underTest, 'text', { call: { tools } });
        if (run.answer !== undefined) {
          answerOf(run);
          continue;
        }
        assert.equal(refusalOf(run).reason, 'unsupported');
        assert.deepEqual(run.attempts, []);
      }
    },
  },
];

const answerRules: readonly AnswerRule[] = [
  ...formRules,
  ...measureRules,
  ...wholenessRules,
  ...contextRules,
  ...carriedRules,
  ...mediaRules,
];

/** What a provider answers, by either way of asking for it. */
export const answerCases = ({ prefix, needs, run }: AskingForAnswer): readonly ProviderCase[] =>
  answerRules.map((rule) => ({
    title: `${prefix}${rule.title}`,
    promise: rule.promise,
    needs,
    run: (underTest) => rule.run(underTest, run),
  }));
