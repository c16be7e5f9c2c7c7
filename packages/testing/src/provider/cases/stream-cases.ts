import assert from 'node:assert/strict';
import { generationParts, readUsageAtLeast, type Part } from '@tollgate/provider';
import { checkMeasured, checkUsage } from '../generation-checks.ts';
import { settledWithin } from '../../broken-promise.ts';
import type { ProviderCase } from '../provider-case.ts';
import type { PromiseId } from '../provider-promises.ts';
import { answerOf, checkSecrets, checkUnknown, runScenario, weatherTool } from '../provider-run.ts';
import { runStream } from '../stream-run.ts';
import type { ProviderUnderTest } from '../provider-under-test.ts';

/** How long a provider may keep a piece that has come, and how long it may take to stop waiting. */
const pieceWithinMs = 1_000;

/** How long after its end a stream is watched. */
const lateMs = 100;

/** Texts that follow each other are one, and what is made anew for each answer is left out. */
const comparable = (parts: readonly Part[]): readonly unknown[] => {
  const whole: { readonly kind: 'text'; readonly thought: boolean; text: string }[] = [];
  const others: unknown[] = [];
  for (const part of parts) {
    if (part.kind === 'text') {
      const last = whole.at(-1);
      if (last?.thought === (part.thought === true)) last.text += part.text;
      else whole.push({ kind: 'text', thought: part.thought === true, text: part.text });
    } else if (part.kind === 'function_call') {
      others.push({ kind: part.kind, name: part.name, arguments: JSON.parse(part.arguments) as unknown });
    } else {
      others.push({ kind: part.kind });
    }
  }
  return [...whole, ...others];
};

const sameAnswer = async (underTest: ProviderUnderTest, scenario: 'text' | 'function_call'): Promise<void> => {
  const options = scenario === 'text' ? {} : { call: { tools: [weatherTool] } };
  const whole = answerOf(await runScenario(underTest, scenario, options));
  const streamed = answerOf(await runStream(underTest, scenario, options));
  assert.deepEqual(comparable(generationParts(streamed)), comparable(generationParts(whole)));
  assert.deepEqual([streamed.text, streamed.finish, streamed.usage], [whole.text, whole.finish, whole.usage]);
  checkMeasured(streamed);
};

interface CutRow {
  readonly scenario:
    | 'cut_before_pieces'
    | 'cut_between_pieces'
    | 'cut_before_end'
    | 'ended_without_end'
    | 'error_before_pieces'
    | 'error_between_pieces';
  readonly title: string;
  readonly promise: PromiseId;
  /** Whether something of the answer comes before the end. */
  readonly isBegun: boolean;
}

const cutRows: readonly CutRow[] = [
  {
    scenario: 'cut_before_pieces',
    title: 'leaves the outcome unknown when it is cut before its first piece',
    promise: 'P15',
    isBegun: false,
  },
  {
    scenario: 'cut_between_pieces',
    title: 'leaves the outcome unknown when it is cut between two pieces',
    promise: 'P15',
    isBegun: true,
  },
  {
    scenario: 'cut_before_end',
    title: 'leaves the outcome unknown when it is cut before it said how it ended',
    promise: 'P17',
    isBegun: true,
  },
  {
    scenario: 'ended_without_end',
    title: 'leaves the outcome unknown when it ends cleanly before it said how it ended',
    promise: 'P17',
    isBegun: true,
  },
  {
    scenario: 'error_before_pieces',
    title: 'leaves the outcome unknown when the upstream fails after it began, before a piece',
    promise: 'P16',
    isBegun: false,
  },
  {
    scenario: 'error_between_pieces',
    title: 'leaves the outcome unknown when the upstream fails after a piece',
    promise: 'P16',
    isBegun: true,
  },
];

const cutCase = ({ scenario, title, promise, isBegun }: CutRow): ProviderCase => ({
  title: `as a stream: ${title}`,
  promise,
  needs: ['generateStream'],
  run: async (underTest) => {
    const before = underTest.upstreamRequests();
    const run = await runStream(underTest, scenario);
    checkUnknown(run);
    checkSecrets(run.failure, underTest.secrets);
    assert.deepEqual([underTest.upstreamRequests() - before, run.attempts.length], [1, 1]);
    assert.equal(run.pieces.length > 0, isBegun, 'what was sent is what was handed over');
  },
});

/** What a stream owes beside what every generation does. */
export const streamCases: readonly ProviderCase[] = [
  {
    title: 'as a stream: comes to the text that it answers otherwise',
    promise: 'P23',
    needs: ['generate', 'generateStream'],
    run: (underTest) => sameAnswer(underTest, 'text'),
  },
  {
    title: 'as a stream: comes to the calls that it proposes otherwise',
    promise: 'P23',
    needs: ['generate', 'generateStream'],
    run: (underTest) => sameAnswer(underTest, 'function_call'),
  },
  {
    title: 'as a stream: hands a piece over while more is to come, and leaves the outcome unknown when it is given up',
    promise: 'P23',
    needs: ['generateStream'],
    run: async (underTest) => {
      const controller = new AbortController();
      const first = Promise.withResolvers<void>();
      const onParts = (): void => first.resolve();
      const running = runStream(underTest, 'hang_between_pieces', { signal: controller.signal, onParts });
      await settledWithin(pieceWithinMs, Promise.race([first.promise, running]));
      controller.abort();
      const run = await settledWithin(pieceWithinMs, running);
      assert.ok(run.pieces.length > 0, 'no piece is handed over');
      checkUnknown(run);
    },
  },
  {
    title: 'as a stream: says of one that is cut what had been used by then, and invents nothing',
    promise: 'P4',
    needs: ['generateStream'],
    run: async (underTest) => {
      const run = await runStream(underTest, 'cut_after_usage');
      checkUnknown(run);
      const used = readUsageAtLeast(run.failure);
      checkUsage(used);
      const input = used.find(({ unit }) => unit === 'input_text_tokens')?.quantity ?? 0;
      assert.equal(input, underTest.measures === 'as_it_goes' ? 100 : 0, 'not what the upstream said');
    },
  },
  {
    title: 'as a stream: takes the last count of its tokens for the whole',
    promise: 'P4',
    needs: ['generateStream'],
    run: async (underTest) => {
      const { usage } = answerOf(await runStream(underTest, 'growing_usage'));
      const measured = usage.filter(({ quantity }) => quantity > 0);
      assert.deepEqual(
        measured.toSorted((one, other) => one.unit.localeCompare(other.unit)),
        [
          { unit: 'input_text_tokens', quantity: 100, confirmed: true },
          { unit: 'output_text_tokens', quantity: 50, confirmed: true },
        ],
      );
    },
  },
  {
    title: 'as a stream: hands nothing over after its end',
    promise: 'P24',
    needs: ['generateStream'],
    run: async (underTest) => void answerOf(await runStream(underTest, 'text', { lateMs })),
  },
  ...cutRows.map(cutCase),
];
