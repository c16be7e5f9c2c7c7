import type { HostileProcess } from './gateway-process.ts';
import { sendShot, type Shot } from './hostile-shot.ts';

/** What one shot cost. */
export interface Cost {
  readonly shot: Shot;
  /** Of the gateway's process, all of its threads. */
  readonly cpuMs: number;
  /** How long the event loop stood still at the longest. */
  readonly stopMs: number;
  readonly status: number;
}

const microsPerMs = 1_000;
const shotsPerKey = 20;
/** More than any of the shots costs: what has credits is computed to its end. */
export const richMicros = 1_000_000_000_000n;

const measureShot = async (
  gateway: HostileProcess,
  built: ReturnType<Shot['build']>,
  key: string,
): Promise<Omit<Cost, 'shot'>> => {
  const before = await gateway.measure();
  const status = await sendShot(built, gateway, key);
  const after = await gateway.measure();
  return { cpuMs: (after.cpuMicros - before.cpuMicros) / microsPerMs, stopMs: after.longestStopMs, status };
};

/** The middle of several runs: the first ones compile, and a garbage collection falls on any of them. */
export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Sends every shot once. Keys are changed now and then, so that no quota of a project ends the measurement. */
export const measureShots = async (
  gateway: HostileProcess,
  shots: readonly Shot[],
  onCost: (cost: Cost) => void,
): Promise<readonly Cost[]> => {
  const costs: Cost[] = [];
  let key = '';
  for (const [index, shot] of shots.entries()) {
    const isSameModel = shot.model === shots[index - 1]?.model;
    if (index % shotsPerKey === 0 || !isSameModel) key = await gateway.makeKey(shot.model, richMicros);
    const cost = { shot, ...(await measureShot(gateway, shot.build(), key)) };
    costs.push(cost);
    onCost(cost);
  }
  return costs;
};

/** The worst of them again, several times, for the middle of the runs. */
export const measureAgain = async (
  gateway: HostileProcess,
  costs: readonly Cost[],
  { rows, runs }: { readonly rows: number; readonly runs: number },
): Promise<readonly Cost[]> => {
  const worst = costs.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, rows);
  const again: Cost[] = [];
  for (const cost of worst) {
    const key = await gateway.makeKey(cost.shot.model, richMicros);
    const built = cost.shot.build();
    const measured: Omit<Cost, 'shot'>[] = [];
    for (let run = 0; run < runs; run += 1) measured.push(await measureShot(gateway, built, key));
    const cpuMs = medianOf(measured.map((run) => run.cpuMs));
    again.push({ ...cost, cpuMs, stopMs: medianOf(measured.map((run) => run.stopMs)) });
  }
  return again.toSorted((a, b) => b.cpuMs - a.cpuMs);
};
