import type { Lockstep } from './lockstep.ts';
import { report, type Stage } from './stage.ts';

/** More waits than any history leaves; beyond it something goes round in circles. */
const firedMax = 2_000;

/** Responds to everything that still waits, in the order of its age, until nothing waits. */
export const drainTasks = async (stage: Stage, lockstep: Lockstep): Promise<void> => {
  for (let fired = 0; stage.scheduler.tasks.length > 0; fired += 1) {
    if (fired > firedMax) {
      report(stage, 'everything_comes_to_rest', `${stage.scheduler.tasks.length} still wait`);
      return;
    }
    const task = stage.scheduler.take(0);
    if (task?.kind === 'timer' && task.dueAtMs > stage.clock.nowMs) stage.clock.nowMs = task.dueAtMs;
    if (task?.kind === 'call') task.fire({ kind: 'none' });
    else task?.fire();
    await lockstep.tick();
  }
};

/** Time-outs without a waiting caller: a provider at work responds instead. */
export const dropLongTimers = (stage: Stage): void => {
  const { scheduler, clock } = stage;
  for (const task of scheduler.tasks.filter((waiting) => waiting.kind === 'timer'))
    if (task.dueAtMs > clock.nowMs + 60_000) scheduler.remove(task);
};
