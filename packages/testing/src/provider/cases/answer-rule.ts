import type { ProviderMethod } from '../provider-case.ts';
import type { PromiseId } from '../provider-promises.ts';
import type { ProviderRun, RunOptions } from '../provider-run.ts';
import type { ProviderScenario, ProviderUnderTest } from '../provider-under-test.ts';

export type AskForAnswer = (
  underTest: ProviderUnderTest,
  scenario: ProviderScenario,
  options?: RunOptions,
) => Promise<ProviderRun>;

/** A way of asking for an answer. */
export interface AskingForAnswer {
  readonly prefix: string;
  readonly needs: readonly ProviderMethod[];
  readonly run: AskForAnswer;
}

/** A rule of answers, by either way of asking. */
export interface AnswerRule {
  readonly title: string;
  readonly promise: PromiseId;
  readonly run: (underTest: ProviderUnderTest, ask: AskForAnswer) => Promise<void>;
}
