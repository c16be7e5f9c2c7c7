import type { CoveredTest } from './cover.ts';
import { pairOf, type Entry, type Plan, type TestName } from './plan.ts';
import type { Pairs } from './plan-kills.ts';
import { readJournal, runPlan } from './run-plan.ts';

/** A test that failed with a mutant. */
export interface Kill {
  readonly by: TestName;
  readonly how: string;
}

/** What was tried, and what came of it. */
export interface Trials {
  readonly kills: ReadonlyMap<number, readonly Kill[]>;
  /** Pairs that were tried to their end. */
  readonly tried: ReadonlySet<string>;
}

/** Times that a process is started for what is left; each one gets on, unless what is left cannot be tried. */
const roundsMax = 40;
/** Times that a test may fail without a mutant before it is left out. */
const sickMax = 2;

interface State {
  readonly kills: Map<number, Kill[]>;
  readonly tried: Set<string>;
  readonly suspects: Set<string>;
  readonly sick: Map<string, number>;
}

const noteKill = (
  { kills, tried }: State,
  pair: { readonly mutant: number; readonly test: string },
  kill: Kill,
): void => {
  tried.add(pairOf(pair.mutant, pair.test));
  kills.set(pair.mutant, [...(kills.get(pair.mutant) ?? []), kill]);
};

const note = (state: State, entry: Entry): void => {
  switch (entry.kind) {
    case 'killed':
      return noteKill(state, entry, { by: entry.by, how: entry.how });
    case 'lived':
      state.tried.add(pairOf(entry.mutant, entry.test));
      return;
    case 'suspect':
      state.suspects.add(pairOf(entry.mutant, entry.test));
      return;
    case 'sick':
      state.sick.set(entry.test, (state.sick.get(entry.test) ?? 0) + 1);
      return;
    case 'started':
    case 'loaded':
    case 'covered':
    case 'ended':
      return;
  }
};

/** What is left to try, by test. */
const leftOf = (state: State, pairs: Pairs, once: boolean): ReadonlyMap<string, readonly number[]> => {
  const left = new Map<string, number[]>();
  for (const [mutant, tests] of pairs) {
    if (once && state.kills.has(mutant)) continue;
    for (const test of tests) {
      if (state.tried.has(pairOf(mutant, test)) || (state.sick.get(test) ?? 0) >= sickMax) continue;
      left.set(test, [...(left.get(test) ?? []), mutant]);
    }
  }
  return left;
};

/** The files of some tests: those whose tests reach least come first. */
const filesOf = (tests: readonly CoveredTest[]): readonly string[] => {
  const reach = new Map<string, number>();
  for (const { file, reached } of tests) reach.set(file, Math.max(reach.get(file) ?? 0, reached.length));
  return [...reach].toSorted(([, a], [, b]) => a - b).map(([file]) => file);
};

/** The pair that a process was at when it went silent. */
const endedAt = (entries: readonly Entry[]): { readonly mutant: number; readonly test: string } | null => {
  const last = entries.at(-1);
  return last?.kind === 'started' ? last : null;
};

/** What the trials run on. */
export interface Trial {
  readonly root: string;
  readonly base: Pick<Plan, 'journal' | 'switches' | 'sources' | 'once'>;
  readonly tests: readonly CoveredTest[];
  readonly say: (line: string) => void;
}

const runRound = async (
  { root, base, tests }: Trial,
  state: State,
  left: ReadonlyMap<string, readonly number[]>,
): Promise<void> => {
  const plan: Plan = {
    ...base,
    mode: 'kill',
    files: filesOf(tests.filter(({ id }) => left.has(id))),
    tests: Object.fromEntries(left),
    suspects: [...state.suspects],
  };
  const end = await runPlan(root, plan);
  const entries = readJournal(base.journal);
  for (const entry of entries) note(state, entry);
  const at = end === 'silent' ? endedAt(entries) : null;
  const test = tests.find(({ id }) => id === at?.test);
  if (at !== null && test !== undefined) noteKill(state, at, { by: test, how: 'it never ended' });
};

/** Tries every pair, in as many processes as that takes. */
export const tryPairs = async (trial: Trial, pairs: Pairs): Promise<Trials> => {
  const state: State = { kills: new Map(), tried: new Set(), suspects: new Set(), sick: new Map() };
  let idle = 0;
  for (let round = 1; round <= roundsMax && idle < 2; round += 1) {
    const left = leftOf(state, pairs, trial.base.once);
    if (left.size === 0) break;
    const before = state.tried.size + state.suspects.size;
    await runRound(trial, state, left);
    idle = state.tried.size + state.suspects.size === before ? idle + 1 : 0;
    trial.say(`round ${round}: ${left.size} tests, ${state.tried.size} tries, ${state.kills.size} mutants noticed`);
  }
  return state;
};
