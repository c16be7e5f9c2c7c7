import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { TestRunner, type RunnerTask, type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite } from 'vitest';
import { pairOf, type Entry, type TestName } from './plan.ts';
import { readPlan } from './read-plan.ts';
import { watchStops } from './stops.ts';
import { installSwitchboard, takeAsked } from './switchboard.ts';

const root = path.resolve(import.meta.dirname, '../..');

const plan = readPlan();
const board = installSwitchboard(plan.switches);
const takeStops = watchStops();
const write = (entry: Entry): void => appendFileSync(plan.journal, `${JSON.stringify(entry)}\n`);

/** What a mutant left under way has so long to end before a test is tried once more without it. */
const patienceMs = 300;

/** Times that a test that failed without a mutant runs once more before it is left out. */
const coverRepeats = 1;

/** What a try of a test is for: a mutant, or whether the test passes without any. */
type Try =
  | { readonly kind: 'mutant'; readonly id: number }
  | { readonly kind: 'healthy'; readonly after: number | null };

/** The tries of the test that runs. */
interface Trying {
  readonly waiting: number[];
  now: Try | null;
  /** The next try of this mutant comes after a pass without it. */
  failed: { readonly id: number; readonly how: string } | null;
  wasHealthy: boolean;
  /** The try without a mutant failed once, perhaps for what the mutant had left under way. */
  isPatient: boolean;
}

const killed = new Set<number>();
const suspects = new Set(plan.suspects);
/** Test files in which a test fails without a mutant: what a mutant left there makes every later result worth nothing. */
const sickFiles = new Set<string>();
let trying: Trying = { waiting: [], now: null, failed: null, wasHealthy: false, isPatient: false };

const titleOf = (task: RunnerTask): string =>
  task.suite === undefined ? task.name : `${titleOf(task.suite)} > ${task.name}`;
const fileOf = ({ filepath }: RunnerTestFile): string => path.relative(root, filepath);
const nameOf = (test: RunnerTestCase): TestName => ({
  id: test.id,
  file: fileOf(test.file),
  name: titleOf(test),
});

const runAlone = (tasks: readonly RunnerTask[]): void => {
  for (const task of tasks) {
    task.concurrent = false;
    if (task.type === 'suite') runAlone(task.tasks);
  }
};

/** The next try of the test, or null where no more is wanted. */
const nextTry = (test: RunnerTestCase): Try | null => {
  if (plan.mode === 'cover') return trying.wasHealthy ? null : { kind: 'healthy', after: null };
  if (trying.failed !== null) return { kind: 'healthy', after: trying.failed.id };
  if (sickFiles.has(test.file.filepath)) return null;
  const id = trying.waiting.find((each) => !killed.has(each));
  if (id === undefined) return null;
  if (!trying.wasHealthy && suspects.has(pairOf(id, test.id))) return { kind: 'healthy', after: null };
  trying.waiting.splice(0, trying.waiting.indexOf(id) + 1);
  return { kind: 'mutant', id };
};

const kill = (test: RunnerTestCase, id: number, how: string): void => {
  if (plan.once) killed.add(id);
  write({ kind: 'killed', mutant: id, test: test.id, by: nameOf(test), how });
};

/** What a try without a mutant says about the one before. */
const endHealthy = (test: RunnerTestCase, passed: boolean): void => {
  const { failed } = trying;
  if (!passed && failed !== null && !trying.isPatient) {
    trying.isPatient = true;
    return;
  }
  trying.isPatient = false;
  trying.failed = null;
  trying.wasHealthy = passed;
  if (passed && failed !== null) return kill(test, failed.id, failed.how);
  if (passed) return;
  sickFiles.add(test.file.filepath);
  if (failed === null) return write({ kind: 'sick', test: test.id, by: nameOf(test) });
  write({ kind: 'suspect', mutant: failed.id, test: test.id });
};

const endMutant = (test: RunnerTestCase, id: number, passed: boolean): void => {
  const { wasHealthy } = trying;
  trying.wasHealthy = false;
  if (passed) return write({ kind: 'lived', mutant: id, test: test.id });
  const how = (test.result?.errors?.at(-1)?.message ?? 'failed').slice(0, 200);
  if (wasHealthy && suspects.has(pairOf(id, test.id))) return kill(test, id, how);
  trying.failed = { id, how };
};

/** A failure while the process was stopped says nothing: what was tried is tried again. */
const tryAgain = (now: Try): void => {
  if (now.kind === 'mutant') trying.waiting.unshift(now.id);
};

/** Mutants with which the test that runs took too long once. */
const slow = new Set<string>();

/** Whether a test took too long with a mutant for the first time, perhaps only for the load of the machine. */
const isSlowForOnce = (test: RunnerTestCase, now: Try): boolean => {
  if (now.kind !== 'mutant' || test.result?.errors?.at(-1)?.message?.includes('timed out') !== true) return false;
  const pair = pairOf(now.id, test.id);
  if (slow.has(pair)) return false;
  slow.add(pair);
  return true;
};

/** How a test ended without a mutant. */
interface CoveredEnd {
  readonly passed: boolean;
  readonly stoppedMs: number;
  readonly isLast: boolean;
}

/** Runs each test once for every mutant that the plan has for it, with the switch of that one on. */
// Vitest takes a class and nothing else.
export default class MutantRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    runAlone(files);
    if (plan.mode !== 'cover') return;
    const bits = takeAsked(board);
    for (const file of files) write({ kind: 'loaded', file: fileOf(file), bits });
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (plan.mode === 'cover' && suite.suite === undefined) write({ kind: 'ended', file: fileOf(suite.file) });
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    const waiting = (plan.tests[test.id] ?? []).filter((id) => !killed.has(id));
    trying = { waiting: [...waiting], now: null, failed: null, wasHealthy: false, isPatient: false };
    if (plan.mode === 'cover') {
      test.repeats = coverRepeats;
      return;
    }
    if (waiting.length === 0 || sickFiles.has(test.file.filepath)) test.mode = 'skip';
    // Between two mutants there can be a try without one.
    else test.repeats = waiting.length * 4;
  }

  override onBeforeTryTask(test: RunnerTestCase, options: { readonly retry: number; readonly repeats: number }): void {
    super.onBeforeTryTask(test, options);
    trying.now = nextTry(test);
    takeStops();
    if (trying.now?.kind === 'mutant') {
      write({ kind: 'started', mutant: trying.now.id, test: test.id });
      board.asks = 0;
      board.active = trying.now.id;
    }
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    if (trying.now !== null) await TestRunner.getTestFn(test)();
  }

  override async onAfterRetryTask(
    test: RunnerTestCase,
    options: { readonly retry: number; readonly repeats: number },
  ): Promise<void> {
    await super.onAfterRetryTask(test, options);
    const passed = test.result?.state === 'pass';
    const { now } = trying;
    const stoppedMs = takeStops();
    board.active = -1;
    if (now === null) return;
    if (plan.mode === 'cover') return this.#endCovered(test, { passed, stoppedMs, isLast: options.repeats > 0 });
    if (!passed && (stoppedMs > 0 || isSlowForOnce(test, now))) tryAgain(now);
    else if (now.kind === 'mutant') endMutant(test, now.id, passed);
    else endHealthy(test, passed);
    if (trying.isPatient) await wait(patienceMs);
    if (test.result !== undefined) test.result.errors = [];
  }

  #endCovered(test: RunnerTestCase, { passed, stoppedMs, isLast }: CoveredEnd): void {
    const ms = Math.max(0, Math.ceil(Date.now() - (test.result?.startTime ?? Date.now()) - stoppedMs));
    trying.wasHealthy = passed || isLast;
    if (passed) write({ kind: 'covered', test: nameOf(test), ms, bits: takeAsked(board) });
    else if (isLast && test.result?.state === 'fail') write({ kind: 'sick', test: test.id, by: nameOf(test) });
  }
}
