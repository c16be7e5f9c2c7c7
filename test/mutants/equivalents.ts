import { decisionEquivalents } from './decision-equivalents.ts';
import { engineEquivalents } from './engine-equivalents.ts';
import type { Equivalent } from './equivalent.ts';
import { otherEquivalents } from './other-equivalents.ts';

/** Mutants that are no fault. */
export const equivalents: readonly Equivalent[] = [...decisionEquivalents, ...engineEquivalents, ...otherEquivalents];
