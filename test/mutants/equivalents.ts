import { decisionEquivalents } from './decision-equivalents.ts';
import type { Equivalent } from './equivalent.ts';

/** Mutants that are no fault. */
export const equivalents: readonly Equivalent[] = [...decisionEquivalents];
