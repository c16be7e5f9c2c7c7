import type { Decide, Key } from '@tollgate/storage';
import type { Step } from '../../packages/engine/src/decisions/step.ts';
import type { Told } from './told.ts';

/** A command as one step of a storage. */
export interface ModelStep {
  readonly keys: () => readonly Key[];
  readonly decide: Decide<Told>;
}

/** A step of the engine with its answer in the words of the reference model. */
export const tell = <T>({ keys, decide }: Step<T>, say: (answer: T) => Told): ModelStep => ({
  keys: () => keys,
  decide: (records, nowMs) => {
    const { writes, answer } = decide(records, nowMs);
    return { writes, answer: say(answer) };
  },
});

/** A step that the sender does not take, for what was seen before. */
export const notTaken = (text: string): ModelStep => ({
  keys: () => [],
  decide: () => ({ writes: [], answer: { text } }),
});
