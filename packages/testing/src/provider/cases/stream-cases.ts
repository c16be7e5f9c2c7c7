import assert from 'node:assert/strict';
import { generationParts, readUsageAtLeast, type Part } from '@tollgate/provider';
import { checkMeasured, checkUsage } from '../generation-checks.ts';
import type { ProviderCase } from '../provider-case.ts';
import { answerOf, checkSecrets, checkUnknown, runScenario, runStream, weatherTool } from '../provider-run.ts';
import type { ProviderUnderTest } from '../provider-under-test.ts';
import { within } from './within.ts';

/** How long a provider may keep a piece that has come, and how long it may take to stop waiting. */
const pieceWithinMs = 1_000;

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

const cutCase = (
  scenario: 'cut_before_pieces' | 'cut_between_pieces' | 'cut_before_end' | 'error_between_pieces',
  title: string,
): ProviderCase => ({
  title: `as a stream: ${title}`,
  needs: ['generateStream'],
  run: async (underTest) => {
    const before = underTest.upstreamRequests();
    const run = await runStream(underTest, scenario);
    checkUnknown(run);
    checkSecrets(run.failure, underTest.secrets);
    assert.deepEqual([underTest.upstreamRequests() - before, run.attempts.length], [1, 1]);
    assert.equal(run.pieces.length > 0, scenario !== 'cut_before_pieces', 'what was sent is what was handed over');
  },
});

/** What a stream owes beside what every generation does. */
export const streamCases: readonly ProviderCase[] = [
  {
    title: 'as a stream: comes to the text that it answers otherwise',
    needs: ['generate', 'generateStream'],
    run: (underTest) => sameAnswer(underTest, 'text'),
  },
  {
    title: 'as a stream: comes to the calls that it proposes otherwise',
    needs: ['generate', 'generateStream'],
    run: (underTest) => sameAnswer(underTest, 'function_call'),
  },
  {
    title: 'as a stream: hands a piece over while more is to come, and leaves the outcome unknown when it is given up',
    needs: ['generateStream'],
    run: async (underTest) => {
      const controller = new AbortController();
      const first = Promise.withResolvers<void>();
      const onParts = (): void => first.resolve();
      const running = runStream(underTest, 'hang_between_pieces', { signal: controller.signal, onParts });
      await within(Promise.race([first.promise, running]), pieceWithinMs);
      controller.abort();
      const run = await within(running, pieceWithinMs);
      assert.ok(run.pieces.length > 0, 'no piece is handed over');
      checkUnknown(run);
    },
  },
  {
    title: 'as a stream: says of one that is cut what had been used by then, and invents nothing',
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
  cutCase('cut_before_pieces', 'leaves the outcome unknown when it is cut before its first piece'),
  cutCase('cut_between_pieces', 'leaves the outcome unknown when it is cut between two pieces'),
  cutCase('cut_before_end', 'leaves the outcome unknown when it is cut before it said how it ended'),
  cutCase('error_between_pieces', 'leaves the outcome unknown when the upstream fails after a piece'),
];
