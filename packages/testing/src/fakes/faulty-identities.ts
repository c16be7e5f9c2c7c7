import type { IdempotencyStore } from '@tollgate/storage';
import { runFaulted, type FaultedCall, type Faults } from './fault.ts';

const call = (name: keyof IdempotencyStore): FaultedCall => ({ target: 'identities', name, keys: [] });

const claiming = call('claim');
const releasing = call('release');

/** The host's identities, with faults injected at every await. */
export const createFaultyIdentities = (identities: IdempotencyStore, faults: Faults): IdempotencyStore => ({
  claim: (claim) => runFaulted(faults, claiming, () => identities.claim(claim)),
  release: (claim) => runFaulted(faults, releasing, () => identities.release(claim)),
});
