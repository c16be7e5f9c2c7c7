import { createHash } from 'node:crypto';
import type { Numbered } from './switch-source.ts';
import { keyOf, type SourceMutant } from './source-mutant.ts';

/** How many mutants of how many are taken, by what draw. */
export interface Draw {
  readonly count: number;
  readonly seed: number;
  /** Whether a mutant that is drawn counts; another one is drawn for it otherwise. */
  readonly accepts: (mutant: SourceMutant) => boolean;
}

/** The same place in the draw for a mutant as long as the mutant is the same, whatever else changes. */
const placeIn = (seed: number, { mutant }: Numbered): string =>
  createHash('sha256')
    .update(`${seed} ${keyOf(mutant)}`)
    .digest('hex');

const drawn = (all: readonly Numbered[], { count, seed, accepts }: Draw): readonly Numbered[] => {
  const inOrder = all.map((each) => [placeIn(seed, each), each] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const taken: Numbered[] = [];
  for (const [, each] of inOrder) {
    if (taken.length >= count) break;
    if (accepts(each.mutant)) taken.push(each);
  }
  return taken;
};

const stratumOf = (strata: readonly string[], { mutant }: Numbered): string =>
  strata.find((folder) => mutant.file === folder || mutant.file.startsWith(`${folder}/`)) ?? '';

/** Mutants by their folder; what is in none of the folders is left out. */
export const byStratum = (
  strata: readonly string[],
  all: readonly Numbered[],
): ReadonlyMap<string, readonly Numbered[]> =>
  new Map(strata.map((folder) => [folder, all.filter((each) => stratumOf(strata, each) === folder)] as const));

/**
 * A sample of all folders. A folder of four times as many mutants has twice as many in it: small folders with rules about credits
 * are not drowned by large ones of mappings.
 */
export const chooseMutants = (strata: readonly string[], all: readonly Numbered[], draw: Draw): readonly Numbered[] => {
  const groups = [...byStratum(strata, all).values()].filter((group) => group.length > 0);
  const weight = groups.reduce((sum, { length }) => sum + Math.sqrt(length), 0);
  return groups.flatMap((group) =>
    drawn(group, { ...draw, count: Math.ceil((draw.count * Math.sqrt(group.length)) / weight) }),
  );
};
