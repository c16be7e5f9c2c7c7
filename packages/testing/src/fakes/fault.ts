import { storageBusyCode, type Key } from '@tollgate/storage';

/** One call to something outside the process. */
export interface FaultedCall {
  readonly target: 'storage' | 'blobs' | 'vectors' | 'ledger' | 'identities';
  readonly name: string;
  /** What a step of the storage declared; empty for every other call. */
  readonly keys: readonly Key[];
}

/** What befalls a call: whether it takes effect, and what the caller gets. */
export type Fault =
  | { readonly kind: 'none' }
  /** Takes no effect; the caller gets an error. */
  | { readonly kind: 'refused' }
  /** Takes no effect; the caller gets that the storage is busy. */
  | { readonly kind: 'busy' }
  /** Takes effect; the caller gets an error all the same: the unknown commit. */
  | { readonly kind: 'unconfirmed' }
  /** The caller gets an error now, and it takes effect when the promise resolves. */
  | { readonly kind: 'late'; readonly when: Promise<void> }
  /** Takes effect; the caller is never told, as if it had died. */
  | { readonly kind: 'unanswered' }
  /** Takes no effect; the caller is never told. */
  | { readonly kind: 'lost' };

/** Decides what befalls each call, in the order they are made. A promise holds the call back. */
export interface Faults {
  readonly before: (call: FaultedCall) => Fault | Promise<Fault>;
  /** Holds back the answer of a call that took effect. */
  readonly after?: (call: FaultedCall) => void | Promise<void>;
}

const injected = (kind: string, { target, name }: FaultedCall): Error =>
  new Error(`injected: ${target} ${name} ${kind}`);

const never = <T>(): Promise<T> => new Promise(() => {});

const runLate = async (when: Promise<void>, run: () => Promise<unknown>): Promise<void> => {
  await when;
  try {
    await run();
  } catch {
    // Its caller gave up: a late call that fails is a call that was not applied.
  }
};

/** Makes one call as its fault says. */
export const runFaulted = async <T>(faults: Faults, call: FaultedCall, run: () => Promise<T>): Promise<T> => {
  const fault = await faults.before(call);
  switch (fault.kind) {
    case 'none': {
      const answer = await run();
      await faults.after?.(call);
      return answer;
    }
    case 'refused':
      throw injected('refused', call);
    case 'busy':
      throw Object.assign(injected('busy', call), { code: storageBusyCode });
    case 'unconfirmed':
      await run();
      throw injected('unconfirmed', call);
    case 'late':
      void runLate(fault.when, run);
      throw injected('late', call);
    case 'unanswered':
      await run();
      return never();
    case 'lost':
      return never();
  }
};
