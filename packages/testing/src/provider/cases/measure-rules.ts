import assert from 'node:assert/strict';
import { checkMeasured, checkUsage } from '../generation-checks.ts';
import { answerOf } from '../provider-run.ts';
import type { AnswerRule } from './answer-rule.ts';

/** What is measured, and what is not. */
export const measureRules: readonly AnswerRule[] = [
  {
    title: 'confirms no usage that was not measured',
    promise: 'P4',
    run: async (underTest, ask) => {
      const answer = answerOf(await ask(underTest, 'missing_usage'));
      assert.ok(!answer.usage.some(({ confirmed }) => confirmed), 'unmeasured usage is confirmed');
    },
  },
  {
    title: 'does not confirm usage whose output was not measured to its end',
    promise: 'P4',
    run: async (underTest, ask) => {
      const { usage } = answerOf(await ask(underTest, 'partial_usage'));
      const isWhole = usage.length > 0 && usage.every(({ confirmed }) => confirmed);
      assert.ok(!isWhole, 'usage without its output is confirmed as the whole');
    },
  },
  {
    title: 'counts what was written to a cache, and once',
    promise: 'P3',
    run: async (underTest, ask) => {
      const answer = answerOf(await ask(underTest, 'cache_written'));
      checkUsage(answer.usage);
      checkMeasured(answer);
      const input = answer.usage.filter(({ unit }) => /^(input|cached|cache_write)_/.test(unit));
      const sum = input.reduce((total, { quantity }) => total + quantity, 0);
      assert.equal(sum, 100, 'not the input that the upstream measured');
      const written = input.filter(({ unit }) => unit.startsWith('cache_write_'));
      assert.ok(
        written.every(({ quantity }) => quantity === 0 || quantity === 40),
        'not what the upstream wrote',
      );
    },
  },
];
