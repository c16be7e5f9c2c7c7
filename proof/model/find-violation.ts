import { printCommand, type History } from './command.ts';
import type { Decisions } from './decisions.ts';
import { historySeed, seededRandom } from './random.ts';
import { randomHistory } from './random-history.ts';
import { runBatched } from './run-batched.ts';
import { runHistory } from './run-history.ts';
import { moneyTheme } from './money-theme.ts';
import type { Theme } from './theme.ts';
import type { Violation } from './violation.ts';

/** Every so many histories one is run again in batches. */
const batchedEvery = 8;

export interface Finding {
  readonly violation: Violation;
  readonly history: History;
  /** Seed of this very history. */
  readonly seed: number;
  /** How many histories it took. */
  readonly histories: number;
}

/** Runs one history and, where it is asked for, once more in batches. */
export const tryHistory = (decisions: Decisions, history: History, batchSeed: number | null): Violation | null => {
  const verdict = runHistory(decisions, history);
  if (verdict.kind === 'broken') return verdict.violation;
  if (batchSeed === null) return null;
  return runBatched(decisions, history, verdict.outcome, seededRandom(batchSeed));
};

/** Runs random histories until one breaks a promise; null where all hold. */
export const findViolation = (
  decisions: Decisions,
  runSeed: number,
  histories: number,
  theme: Theme = moneyTheme,
): Finding | null => {
  for (let index = 0; index < histories; index += 1) {
    const seed = historySeed(runSeed, index);
    const history = randomHistory(seededRandom(seed), '', theme);
    const violation = tryHistory(decisions, history, index % batchedEvery === 0 ? seed : null);
    if (violation !== null) return { violation, history, seed, histories: index + 1 };
  }
  return null;
};

/** All that is needed to see it again. */
export const printFinding = ({ violation, history, seed }: Finding): string =>
  [
    `history ${seed} breaks ${violation.check} at step ${violation.step}: ${violation.detail}`,
    ...history.commands.slice(0, violation.step + 1).map((command, at) => `  ${at}. ${printCommand(command)}`),
    `  again: node --conditions=@tollgate/source proof/model/histories.ts --history ${seed}`,
  ].join('\n');
