import type { Storage } from '@tollgate/storage';
import { decideExtend, extendKeys } from './decisions/extend.ts';
import { decideFail, failKeys } from './decisions/fail.ts';
import { decideOpen, openKeys } from './decisions/open.ts';
import { decideSettle, settleKeys } from './decisions/settle.ts';
import type { EngineLimits } from './engine.ts';
import type { Money } from './money.ts';
import { isStorageBusy, patienceOf, persist } from './persist.ts';

export interface WalletMoneyOptions {
  readonly storage: Storage;
  readonly limits: Pick<EngineLimits, 'persistTriesMax' | 'persistPauseMs'>;
  readonly sleep: (ms: number) => Promise<void>;
}

/** The wallet in the storage: each command is one durable step. */
export const walletMoney = ({ storage, limits, sleep }: WalletMoneyOptions): Money => {
  const patience = patienceOf({ limits, sleep });
  return {
    open: async (command) => {
      try {
        return await storage.transact(openKeys(command), decideOpen(command));
      } catch (cause) {
        // Refused before anything was sent: the client may come back at once.
        if (isStorageBusy(cause)) throw cause;
        const again = { ...command, repeated: true };
        try {
          return await storage.transact(openKeys(again), decideOpen(again));
        } catch {
          // The first cause tells more: a storage that is busy now may have registered the operation then.
          throw cause;
        }
      }
    },
    extend: (command) => persist(patience, () => storage.transact(extendKeys(command), decideExtend(command))),
    settle: (command) => persist(patience, () => storage.transact(settleKeys(command), decideSettle(command))),
    fail: (command) => persist(patience, () => storage.transact(failKeys(command), decideFail(command))),
    resume: () => Promise.resolve(false),
  };
};
