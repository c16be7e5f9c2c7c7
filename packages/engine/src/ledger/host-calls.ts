import type { CreditLedger, IdempotencyStore } from '@tollgate/storage';
import { withDeadline } from '../workers/with-deadline.ts';

/** The time limit of a call to the host, and its clock. */
export interface HostPatience {
  readonly hostCallMs: number;
  readonly after: (ms: number, run: () => void) => () => void;
}

/** The code of a call of the host's that took too long: what it did is not known. */
const hostLateCode = 'host_call_late';

/** Calls the host's ledger or idempotency store. Rejects where it takes too long; the caller repeats it with the same ids. */
const inTime = <T>({ hostCallMs, after }: HostPatience, name: string, call: () => Promise<T>): Promise<T> => {
  const late = (): Error => Object.assign(new Error(`${name} took longer than hostCallMs`), { code: hostLateCode });
  return withDeadline({ after }, { ms: hostCallMs, late }, call);
};

/** A wallet of the host's, of which no call is waited for without end. */
export const patientLedger = (ledger: CreditLedger, patience: HostPatience): CreditLedger => ({
  reserve: (command) => inTime(patience, 'ledger.reserve', () => ledger.reserve(command)),
  extend: (command) => inTime(patience, 'ledger.extend', () => ledger.extend(command)),
  settle: (command) => inTime(patience, 'ledger.settle', () => ledger.settle(command)),
  release: (command) => inTime(patience, 'ledger.release', () => ledger.release(command)),
});

/** Identities of the host's, of which no call is waited for without end. */
export const patientIdentities = (identities: IdempotencyStore, patience: HostPatience): IdempotencyStore => ({
  claim: (claim) => inTime(patience, 'identities.claim', () => identities.claim(claim)),
  release: (claim) => inTime(patience, 'identities.release', () => identities.release(claim)),
});
