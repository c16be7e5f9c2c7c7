import type { Family } from './reference-wire.ts';

/** A call that has run and has no answer yet: its caller has work in hand. */
export interface CallInHand {
  readonly family: Family;
  /** The process that waits for the answer. */
  readonly pid: number;
}

/** The place between what a call does and its answer, at which a run can stop one. */
export interface CallsInHand {
  /** Called with every call that has run; resolves when it may be answered. */
  readonly pass: (call: CallInHand) => Promise<void>;
  /** The next call of one of the families, of the family with the fewest so far if it comes in time. It is not answered before `release`. */
  readonly next: (families: readonly Family[]) => Promise<CallInHand>;
  readonly release: () => void;
}

/** Calls of other families that are let go before any family will do. */
const passedMax = 60;

interface Wanted {
  readonly families: readonly Family[];
  readonly take: (call: CallInHand) => void;
  passed: number;
}

export const createCallsInHand = (): CallsInHand => {
  const taken = new Map<Family, number>();
  let wanted: Wanted | null = null;
  let released = Promise.withResolvers<void>();
  const fits = ({ families, passed }: Wanted, family: Family): boolean => {
    if (!families.includes(family)) return false;
    const fewest = Math.min(...families.map((each) => taken.get(each) ?? 0));
    return passed >= passedMax || (taken.get(family) ?? 0) === fewest;
  };
  return {
    pass: async (call) => {
      if (wanted === null) return;
      if (!fits(wanted, call.family)) {
        wanted.passed += 1;
        return;
      }
      const { take } = wanted;
      wanted = null;
      taken.set(call.family, (taken.get(call.family) ?? 0) + 1);
      take(call);
      await released.promise;
    },
    next: (families) =>
      new Promise((take) => {
        released = Promise.withResolvers();
        wanted = { families, take, passed: 0 };
      }),
    release: () => released.resolve(),
  };
};
