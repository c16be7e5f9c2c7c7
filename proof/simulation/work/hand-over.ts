import { NotExecuted } from '@tollgate/provider';
import type { Life } from '../life.ts';
import { report } from '../stage.ts';
import type { UpstreamScript } from './upstream-script.ts';
import type { WorkWorld } from './work-world.ts';

/** One hand-over that reached the upstream: what the recorder remembers for good. */
export interface HandOver {
  /** The video, or the item of a batch. */
  readonly of: string;
  readonly life: Life;
  readonly script: UpstreamScript;
  /** The upstream has done with the call, whether or not the response arrived. */
  answered: boolean;
}

/** What was handed over before must be known not to have run, and each hand-over needs a mark of its own. */
export const takeOn = (world: WorkWorld, life: Life, of: string, script: UpstreamScript): HandOver => {
  const { handOvers } = world.upstream;
  const before = handOvers.filter((each) => each.of === of);
  if (before.some((each) => each.script.kind !== 'not_executed' || !each.answered))
    report(world, 'handed_over_once', `${of} was handed over again by ${life.name}`);
  if (before.length >= (world.marks.get(of) ?? 0))
    report(world, 'marked_before_the_hand_over', `${of} was handed over by ${life.name} without a mark`);
  const handOver: HandOver = { of, life, script, answered: false };
  handOvers.push(handOver);
  return handOver;
};

export const answer = async (world: WorkWorld, life: Life, handOver: HandOver | null): Promise<void> => {
  if (!world.over) await new Promise<void>((fire) => world.scheduler.add({ kind: 'provider', life, fire }));
  if (handOver !== null) handOver.answered = true;
};

export const refuse = (script: UpstreamScript): void => {
  if (script.kind === 'not_executed') throw new NotExecuted({ reason: script.reason });
  if (script.kind === 'unknown') throw new Error('the line to the upstream broke');
};
