import { extend } from '../decisions/extend.ts';
import { fail } from '../decisions/fail.ts';
import { open, type OpenAnswer, type OpenCommand } from '../decisions/open.ts';
import { settle } from '../decisions/settle.ts';
import type { EngineLimits } from '../engine-limits.ts';
import { createKeySpends, openWithin, type KeySpends } from './open-within.ts';
import type { OperationLedger } from './operation-ledger.ts';
import { commit, commitOnce, isStorageBusy } from '../operations/persist.ts';
import type { StepStorage } from '../webhooks/notify-of-events.ts';

export interface WalletLedgerOptions {
  readonly storage: StepStorage;
  readonly limits: Pick<EngineLimits, 'persistTriesMax' | 'persistPauseMs'>;
  readonly clock: { readonly sleep: (ms: number) => Promise<void> };
}

const send = (options: WalletLedgerOptions, known: KeySpends, command: OpenCommand): Promise<OpenAnswer> =>
  openWithin<OpenAnswer>(known, command, (counted) => commitOnce(options, open(counted)));

/** The wallet in the storage: each command is one durable step. */
export const walletLedger = (options: WalletLedgerOptions, known = createKeySpends()): OperationLedger => ({
  open: (command) =>
    send(options, known, command).catch((cause: unknown) => {
      // Refused before anything was sent: the client may come back at once.
      if (isStorageBusy(cause)) throw cause;
      return send(options, known, { ...command, repeated: true }).catch(() => {
        // The first cause tells more: a storage that is busy now may have registered the operation then.
        throw cause;
      });
    }),
  extend: (command) => commit(options, extend(command)),
  settle: (command) => commit(options, settle(command)),
  fail: (command) => commit(options, fail(command)),
  resume: () => Promise.resolve(false),
});
