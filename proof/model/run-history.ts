import { createBook, type Book } from './book.ts';
import { checkIdentity, checkRepetition } from './check-identity.ts';
import { checkLedger } from './check-ledger.ts';
import { checkModel, checkTold } from './check-model.ts';
import { checkCaps, checkSpends } from './check-caps.ts';
import { checkEvents } from './check-events.ts';
import { checkStates } from './check-states.ts';
import { checkTables } from './check-tables.ts';
import { checkUsage } from './check-usage.ts';
import { checkWork } from './check-work.ts';
import { checkWrites } from './check-writes.ts';
import type { Command, History } from './command.ts';
import type { Decisions } from './decisions.ts';
import { firstMs } from './slot.ts';
import type { ObservedStep } from './observed-step.ts';
import { applyWrites, createRecordMap, type RecordMap } from './record-map.ts';
import { createMemo, type Memo } from './memo.ts';
import { createModel, type Model } from './model.ts';
import { answerAsModel } from './reference-model.ts';
import { toStep } from './to-step.ts';
import { found, type Found, type Violation } from './violation.ts';

/** A history that went through, for comparison with other ways of carrying it. */
export interface Outcome {
  readonly texts: readonly string[];
  readonly map: RecordMap;
}

export type Verdict =
  | { readonly kind: 'held'; readonly outcome: Outcome }
  | { readonly kind: 'broken'; readonly violation: Violation };

interface Run {
  readonly decisions: Decisions;
  readonly map: RecordMap;
  readonly book: Book;
  readonly model: Model;
  readonly memo: Memo;
  readonly texts: string[];
  /** Where the command of the step before was first sent. */
  lastRoot: number;
}

const decide = (run: Run, command: Command, at: number, nowMs: number): ObservedStep | NonNullable<Found> => {
  const { map, book } = run;
  try {
    const { writes, answer } = toStep(run.decisions, run.memo, command).decide(map.records, nowMs);
    return { at, command, root: command.repeatOf ?? at, told: answer, writes, map, book, nowMs };
  } catch (cause) {
    return found('no_throw', String(cause));
  }
};

const takeStep = (run: Run, command: Command, at: number, nowMs: number): Found => {
  const step = decide(run, command, at, nowMs);
  if ('check' in step) return step;
  const previous = run.texts.at(-1) ?? null;
  const adjoins = command.repeatOf !== null && at > 0 && run.lastRoot === command.repeatOf;
  const before =
    checkWrites(step) ?? checkWork(step) ?? checkEvents(step) ?? checkRepetition(step, adjoins ? previous : null);
  if (before !== null) return before;
  applyWrites(run.map, step.writes);
  run.lastRoot = step.root;
  run.texts.push(step.told.text);
  const expected = answerAsModel(run.model, command.body, { ms: nowMs, repeated: command.repeatOf !== null });
  return (
    checkLedger(step) ??
    checkCaps(step) ??
    checkStates(step) ??
    checkIdentity(step) ??
    checkTold(step) ??
    checkModel(step, run.model, expected) ??
    checkSpends(step, run.model) ??
    checkTables(step, run.model)
  );
};

/** Runs a history one step at a time, every check after every step. */
export const runHistory = (decisions: Decisions, history: History): Verdict => {
  const run: Run = {
    decisions,
    map: createRecordMap(),
    book: createBook(),
    model: createModel(),
    memo: createMemo(),
    texts: [],
    lastRoot: -1,
  };
  let nowMs = firstMs;
  for (const [at, command] of history.commands.entries()) {
    nowMs += command.waitMs;
    const wrong = takeStep(run, command, at, nowMs);
    if (wrong !== null) return { kind: 'broken', violation: { ...wrong, step: at } };
  }
  // A history that removes a record gives its id to another operation within seconds; lines of usage are rolled up before a record goes.
  const wrong = run.texts.includes('record_removed') ? null : checkUsage(run.map, decisions, nowMs);
  if (wrong !== null) return { kind: 'broken', violation: { ...wrong, step: history.commands.length - 1 } };
  return { kind: 'held', outcome: run };
};
