import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Entry, planVariable, type Plan } from './plan.ts';

/** A run that writes nothing for as long is ended: while modules load, or tests run as they are, and with a mutant in place. */
const healthyMsMax = 240_000;
const silentMsMax = 45_000;
const lookEveryMs = 1000;

export const readJournal = (journal: string): readonly Entry[] =>
  existsSync(journal)
    ? readFileSync(journal, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => Entry.parse(JSON.parse(line)))
    : [];

const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0);

/** How a run ended: by itself, or because it went silent. */
export type RunEnd = 'ended' | 'silent';

/** Runs the tests of a plan in a process of their own; what happened is in the journal. */
export const runPlan = async (root: string, plan: Plan): Promise<RunEnd> => {
  const file = `${plan.journal}.plan.json`;
  writeFileSync(file, JSON.stringify(plan));
  writeFileSync(plan.journal, '');
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const config = path.join(root, 'scripts/mutate/vitest.config.ts');
  const child = spawn(process.execPath, [vitest, 'run', '--config', config], {
    cwd: root,
    env: { ...process.env, [planVariable]: file },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const end = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let size = 0;
  let silentSince = Date.now();
  let turnMs = silentSince;
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([end, wait(lookEveryMs)]);
    const now = sizeOf(plan.journal);
    if (now !== size) silentSince = Date.now();
    // A turn that comes late was stopped, and the tests with it.
    else if (Date.now() - turnMs > lookEveryMs * 3) silentSince += Date.now() - turnMs;
    turnMs = Date.now();
    size = now;
    if (Date.now() - silentSince <= (size === 0 || plan.mode === 'cover' ? healthyMsMax : silentMsMax)) continue;
    child.kill('SIGKILL');
    await end;
    return 'silent';
  }
  return 'ended';
};
