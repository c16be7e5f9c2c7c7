import type { Usage } from '@tollgate/provider';
import type { Random } from '../torture/random.ts';
import { operationIdOf, type Family } from './reference-wire.ts';

/** What becomes of a call; chosen when its key is seen first, and kept. */
export type Fate =
  | 'quick'
  | 'slow'
  /** Refused for good, before anything ran. */
  | 'refused'
  /** Refused once, because it is busy. */
  | 'busy'
  /** It runs, and the answer gets lost. */
  | 'lost'
  /** It runs, and its usage is not reported. */
  | 'unmeasured'
  /** A job that begins, and of which the reference upstream then says that it failed and costs nothing. */
  | 'failing';

/** What truly happened under one key. */
export interface Execution {
  readonly key: string;
  readonly operationId: string;
  readonly family: Family;
  readonly fate: Fate;
  /** Calls that ran. */
  count: number;
  /** Calls that were refused before they ran. */
  refusals: number;
  /** What was said of it; null where nothing was. */
  usage: readonly Usage[] | null;
  /** False where the reference upstream said that it costs nothing after all. */
  billed: boolean;
}

export interface Journal {
  readonly executions: ReadonlyMap<string, Execution>;
  /** The entry of a key, made when it is new. */
  open(key: string, family: Family): Execution;
}

type Shares = readonly (readonly [Fate, number])[];

const calls: Shares = [
  ['slow', 0.55],
  ['refused', 0.03],
  ['busy', 0.04],
  ['lost', 0.02],
  ['unmeasured', 0.02],
];
const shares: { readonly [F in Family]: Shares } = {
  generate: calls,
  embed: calls,
  cache: calls,
  // A tool says of its own accord what it used, and always once.
  tool: [['slow', 0.6]],
  video: [...calls, ['failing', 0.03]],
  batch: [...calls, ['failing', 0.03]],
  interaction: [...calls, ['failing', 0.03]],
  import: [...calls, ['failing', 0.03]],
};

const fateOf = (family: Family, random: Random): Fate => {
  let at = random.next();
  for (const [fate, share] of shares[family]) {
    if (at < share) return fate;
    at -= share;
  }
  return 'quick';
};

export const createJournal = (random: Random): Journal => {
  const executions = new Map<string, Execution>();
  return {
    executions,
    open: (key, family) => {
      const known = executions.get(key);
      if (known !== undefined) return known;
      const operationId = operationIdOf(key);
      const fate = fateOf(family, random);
      const execution = { key, operationId, family, fate, count: 0, refusals: 0, usage: null, billed: true };
      executions.set(key, execution);
      return execution;
    },
  };
};
