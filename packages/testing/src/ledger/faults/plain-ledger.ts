import type { CreditLedger, LedgerAmount, LedgerCommand } from '@tollgate/storage';

export interface PlainHold {
  readonly accountId: string;
  readonly state: 'held' | 'settled' | 'released';
  /** What is set aside, or was debited. */
  readonly micros: bigint;
}

/** What a plain ledger has written; ledgers that share it see each other's commands. */
export interface PlainBook {
  readonly balances: Map<string, bigint>;
  readonly holds: Map<string, PlainHold>;
  /** Whether the next command of a mortal ledger is cut off, and how many were. */
  readonly deaths: { armed: boolean; count: number };
}

export const createPlainBook = (): PlainBook => ({
  balances: new Map(),
  holds: new Map(),
  deaths: { armed: false, count: 0 },
});

/** Every decision that a plain ledger makes, each in a function of its own so that a fault can replace just that one. */
export interface PlainLedgerParts {
  readonly accountOf: (accountId: string) => string;
  readonly freeOf: (accountId: string) => bigint;
  readonly find: (operationId: string) => PlainHold | undefined;
  readonly keep: (operationId: string, hold: PlainHold) => void;
  readonly debit: (accountId: string, micros: bigint) => void;
  /** Runs between what a command has read and what it writes. */
  readonly pause: (() => Promise<void>) | undefined;
  readonly onReserveOf: (hold: PlainHold, command: LedgerAmount) => 'reserved' | 'insufficient' | 'ended';
  readonly canReserve: (command: LedgerAmount) => boolean;
  readonly raisedTo: (hold: PlainHold, micros: bigint) => bigint;
  readonly canExtend: (hold: PlainHold | undefined) => boolean;
  readonly onSettleOf: (hold: PlainHold | undefined, command: LedgerAmount) => 'settled' | 'insufficient' | 'ended';
  readonly canSettle: (hold: PlainHold, command: LedgerAmount) => boolean;
  /** What stays set aside of a hold that is settled. */
  readonly leftOf: (hold: PlainHold, micros: bigint) => bigint;
  readonly onReleaseOf: (hold: PlainHold | undefined, command: LedgerCommand) => 'released' | 'ended';
}

export type LedgerFaultParts = (
  parts: PlainLedgerParts,
  book: PlainBook,
  own: () => PlainLedgerParts,
) => Partial<PlainLedgerParts>;

const freeOf = (book: PlainBook, accountId: string): bigint =>
  [...book.holds.values()]
    .filter((hold) => hold.accountId === accountId && hold.state === 'held')
    .reduce((free, { micros }) => free - micros, book.balances.get(accountId) ?? 0n);

const plainParts = (book: PlainBook, own: () => PlainLedgerParts): PlainLedgerParts => ({
  accountOf: (accountId) => accountId,
  freeOf: (accountId) => freeOf(book, accountId),
  find: (operationId) => book.holds.get(operationId),
  keep: (operationId, hold) => void book.holds.set(operationId, hold),
  debit: (accountId, micros) => void book.balances.set(accountId, (book.balances.get(accountId) ?? 0n) - micros),
  pause: undefined,
  onReserveOf: ({ state }) => (state === 'held' ? 'reserved' : 'ended'),
  canReserve: ({ accountId, amountMicros }) => amountMicros <= own().freeOf(own().accountOf(accountId)),
  raisedTo: (hold, micros) => (micros > hold.micros ? micros : hold.micros),
  canExtend: (hold) => hold?.state === 'held',
  onSettleOf: (hold, { amountMicros }) =>
    hold?.state === 'settled' && hold.micros === amountMicros ? 'settled' : 'ended',
  canSettle: (hold, { amountMicros }) => amountMicros - hold.micros <= own().freeOf(hold.accountId),
  leftOf: () => 0n,
  onReleaseOf: (hold, { operationId, accountId }) => {
    if (hold?.state === 'settled') return 'ended';
    own().keep(operationId, { accountId: own().accountOf(accountId), state: 'released', micros: 0n });
    return 'released';
  },
});

const settleOn = async (
  parts: PlainLedgerParts,
  command: LedgerAmount,
): Promise<'settled' | 'insufficient' | 'ended'> => {
  const hold = parts.find(command.operationId);
  if (hold?.state !== 'held') return parts.onSettleOf(hold, command);
  if (!parts.canSettle(hold, command)) return 'insufficient';
  if (parts.pause !== undefined) await parts.pause();
  const { operationId, amountMicros } = command;
  parts.debit(hold.accountId, amountMicros);
  parts.keep(operationId, { ...hold, state: 'settled', micros: amountMicros });
  const left = parts.leftOf(hold, amountMicros);
  if (left > 0n) parts.keep(`left of ${operationId}`, { ...hold, micros: left });
  return 'settled';
};

/** The simplest right ledger there is, with a fault of one's choice built in. */
export const plainLedger = (book: PlainBook, fault: LedgerFaultParts): CreditLedger => {
  const right: PlainLedgerParts = plainParts(book, () => parts);
  const parts: PlainLedgerParts = { ...right, ...fault(right, book, () => parts) };
  return {
    reserve: async (command) => {
      const hold = parts.find(command.operationId);
      if (hold !== undefined) return parts.onReserveOf(hold, command);
      if (!parts.canReserve(command)) return 'insufficient';
      if (parts.pause !== undefined) await parts.pause();
      const { operationId, accountId, amountMicros } = command;
      parts.keep(operationId, { accountId: parts.accountOf(accountId), state: 'held', micros: amountMicros });
      return 'reserved';
    },
    extend: async ({ operationId, accountId, amountMicros }) => {
      const hold = parts.find(operationId);
      if (!parts.canExtend(hold)) return 'ended';
      const { micros = 0n, accountId: account = parts.accountOf(accountId) } = hold ?? {};
      const raised = parts.raisedTo({ accountId: account, state: 'held', micros }, amountMicros);
      if (raised - micros > parts.freeOf(account)) return 'insufficient';
      if (parts.pause !== undefined) await parts.pause();
      parts.keep(operationId, { accountId: account, state: 'held', micros: raised });
      return 'extended';
    },
    settle: (command) => settleOn(parts, command),
    release: async (command) => {
      const hold = parts.find(command.operationId);
      if (parts.pause !== undefined) await parts.pause();
      return parts.onReleaseOf(hold, command);
    },
  };
};

/** A ledger whose commands can be cut off: by turns before they begin and after they have had their effect. */
export const mortalLedger = (ledger: CreditLedger, { deaths }: PlainBook): CreditLedger => {
  const cutOff = async <T>(run: () => Promise<T>): Promise<T> => {
    if (!deaths.armed) return run();
    try {
      if (deaths.count % 2 === 0) await run();
    } finally {
      deaths.armed = false;
      deaths.count += 1;
    }
    throw new Error('the connection is gone');
  };
  return {
    reserve: (command) => cutOff(() => ledger.reserve(command)),
    extend: (command) => cutOff(() => ledger.extend(command)),
    settle: (command) => cutOff(() => ledger.settle(command)),
    release: (command) => cutOff(() => ledger.release(command)),
  };
};
