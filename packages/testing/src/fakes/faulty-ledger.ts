import type { CreditLedger } from '@tollgate/storage';
import { runFaulted, type FaultedCall, type Faults } from './fault.ts';

const call = (name: keyof CreditLedger): FaultedCall => ({ target: 'ledger', name, keys: [] });

const reserving = call('reserve');
const extending = call('extend');
const settling = call('settle');
const releasing = call('release');

/** The host's ledger, with faults injected at every await. */
export const createFaultyLedger = (ledger: CreditLedger, faults: Faults): CreditLedger => ({
  reserve: (command) => runFaulted(faults, reserving, () => ledger.reserve(command)),
  extend: (command) => runFaulted(faults, extending, () => ledger.extend(command)),
  settle: (command) => runFaulted(faults, settling, () => ledger.settle(command)),
  release: (command) => runFaulted(faults, releasing, () => ledger.release(command)),
});
