import type { Deaths } from './deaths.ts';
import type { Case } from './find-faults.ts';
import { wayOf, type Way } from './ways.ts';

/** Figures of one way. */
export interface WayTally {
  readonly way: string;
  /** Kills in the middle of it. */
  readonly kills: number;
  /** How many pieces of work lost their worker, by how far they were. */
  readonly phases: Readonly<Record<string, number>>;
  readonly resources: number;
  readonly executions: number;
  readonly completed: number;
  readonly failed: number;
  readonly uncertain: number;
  /** Of these: those that the reference upstream was never asked for, because the worker died between its note and its call. */
  readonly neverAsked: number;
}

const count = (cases: readonly Case[], state: string): number =>
  cases.filter(({ operation }) => operation.state === state).length;

const runs = ({ executions }: Case): number => executions.reduce((sum, execution) => sum + execution.count, 0);

const tallyOne = (way: string, cases: readonly Case[], { byWay, phases }: Deaths): WayTally => ({
  way,
  kills: byWay.get(way) ?? 0,
  phases: Object.fromEntries(phases.get(way) ?? []),
  resources: cases.length,
  executions: cases.reduce((sum, one) => sum + runs(one), 0),
  completed: count(cases, 'completed'),
  failed: count(cases, 'failed'),
  uncertain: count(cases, 'uncertain'),
  neverAsked: cases.filter((one) => one.operation.state === 'uncertain' && runs(one) === 0).length,
});

export const tally = (ways: readonly Way[], cases: readonly Case[], deaths: Deaths): readonly WayTally[] =>
  ways.map(({ name }) =>
    tallyOne(
      name,
      cases.filter(({ operation }) => wayOf(operation) === name),
      deaths,
    ),
  );

const addPhases = (a: WayTally['phases'], b: WayTally['phases']): WayTally['phases'] => {
  const sum: Record<string, number> = { ...a };
  for (const [phase, times] of Object.entries(b)) sum[phase] = (sum[phase] ?? 0) + times;
  return sum;
};

/** The figures of several runs, by way. */
export const sumTallies = (tallies: readonly WayTally[]): readonly WayTally[] => {
  const byWay = new Map<string, WayTally>();
  for (const next of tallies) {
    const sum = byWay.get(next.way);
    byWay.set(
      next.way,
      sum === undefined
        ? next
        : {
            way: next.way,
            kills: sum.kills + next.kills,
            phases: addPhases(sum.phases, next.phases),
            resources: sum.resources + next.resources,
            executions: sum.executions + next.executions,
            completed: sum.completed + next.completed,
            failed: sum.failed + next.failed,
            uncertain: sum.uncertain + next.uncertain,
            neverAsked: sum.neverAsked + next.neverAsked,
          },
    );
  }
  return [...byWay.values()];
};
