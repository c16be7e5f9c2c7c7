import assert from 'node:assert/strict';
import { isNotExecuted } from '@tollgate/provider';
import { checkMeasured } from '../generation-checks.ts';
import { answerOf, weatherTool } from '../provider-run.ts';
import { longCity } from '../provider-under-test.ts';
import type { AnswerRule } from './answer-rule.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** What came is reported as whole exactly where it is. */
export const wholenessRules: readonly AnswerRule[] = [
  {
    title: 'hands on the whole of long arguments',
    promise: 'P5',
    run: async (underTest, ask) => {
      const answer = answerOf(
        await ask(underTest, 'long_arguments', { call: { tools: [weatherTool], outputTokensMax: 9_000 } }),
      );
      const given = answer.functionCalls.map((call): unknown => JSON.parse(call.arguments));
      assert.deepEqual(given, [{ city: longCity }]);
    },
  },
  {
    title: 'tells no call that was cut before its arguments as one without arguments',
    promise: 'P6',
    run: async (underTest, ask) => {
      const answer = answerOf(await ask(underTest, 'cut_call', { call: { tools: [weatherTool] } }));
      assert.equal(answer.finish, 'length');
      const whole = answer.functionCalls.filter((call) => isJson(call.arguments));
      assert.deepEqual(whole, [], 'a call that was cut has arguments that can be read');
    },
  },
  {
    title: 'does not take an end that it does not know for success',
    promise: 'P10',
    run: async (underTest, ask) => {
      const run = await ask(underTest, 'unknown_end');
      if (run.answer === undefined) {
        assert.ok(run.failure instanceof Error && !isNotExecuted(run.failure), 'called certain what is not');
        return;
      }
      const answer = answerOf(run);
      assert.notEqual(answer.finish, 'stop', 'an unknown end is reported as a complete answer');
      checkMeasured(answer);
    },
  },
];
