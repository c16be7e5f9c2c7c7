import type { CreditLedger, LedgerAmount, LedgerCommand } from '@tollgate/storage';

export interface MemoryLedgerWallet {
  readonly balanceMicros: bigint;
  readonly reservedMicros: bigint;
}

/** What the ledger knows of one operation. */
export interface MemoryLedgerOperation {
  readonly accountId: string;
  readonly state: 'held' | 'settled' | 'released';
  readonly holdMicros: bigint;
  readonly chargedMicros: bigint;
}

export interface MemoryLedger extends CreditLedger {
  readonly deposit: (accountId: string, amountMicros: bigint) => void;
  readonly wallet: (accountId: string) => MemoryLedgerWallet;
  readonly operation: (operationId: string) => MemoryLedgerOperation | undefined;
}

const emptyWallet: MemoryLedgerWallet = { balanceMicros: 0n, reservedMicros: 0n };

interface Books {
  readonly wallets: Map<string, MemoryLedgerWallet>;
  readonly operations: Map<string, MemoryLedgerOperation>;
}

const walletOf = ({ wallets }: Books, accountId: string): MemoryLedgerWallet => wallets.get(accountId) ?? emptyWallet;

const availableOf = (wallet: MemoryLedgerWallet): bigint => wallet.balanceMicros - wallet.reservedMicros;

const checkCommand = (known: MemoryLedgerOperation | undefined, command: LedgerCommand | LedgerAmount): void => {
  if (known !== undefined && known.accountId !== command.accountId)
    throw new Error(`operation ${command.operationId} belongs to another account`);
  if ('amountMicros' in command && command.amountMicros < 0n) throw new RangeError('an amount is not negative');
};

const write = (
  books: Books,
  operationId: string,
  operation: MemoryLedgerOperation,
  wallet: MemoryLedgerWallet,
): void => {
  if (wallet.reservedMicros < 0n || wallet.reservedMicros > wallet.balanceMicros)
    throw new Error('a wallet must keep 0 ≤ reserved ≤ balance');
  books.wallets.set(operation.accountId, wallet);
  books.operations.set(operationId, operation);
};

const reserve = (books: Books, command: LedgerAmount): 'reserved' | 'insufficient' | 'ended' => {
  const { operationId, accountId, amountMicros } = command;
  const known = books.operations.get(operationId);
  checkCommand(known, command);
  if (known !== undefined) return known.state === 'held' ? 'reserved' : 'ended';
  const wallet = walletOf(books, accountId);
  if (amountMicros > availableOf(wallet)) return 'insufficient';
  const held = { accountId, state: 'held', holdMicros: amountMicros, chargedMicros: 0n } as const;
  write(books, operationId, held, { ...wallet, reservedMicros: wallet.reservedMicros + amountMicros });
  return 'reserved';
};

const extend = (books: Books, command: LedgerAmount): 'extended' | 'insufficient' | 'ended' => {
  const known = books.operations.get(command.operationId);
  checkCommand(known, command);
  if (known?.state !== 'held') return 'ended';
  const more = command.amountMicros - known.holdMicros;
  if (more <= 0n) return 'extended';
  const wallet = walletOf(books, known.accountId);
  if (more > availableOf(wallet)) return 'insufficient';
  const extended = { ...known, holdMicros: command.amountMicros };
  write(books, command.operationId, extended, { ...wallet, reservedMicros: wallet.reservedMicros + more });
  return 'extended';
};

const settle = (books: Books, command: LedgerAmount): 'settled' | 'insufficient' | 'ended' => {
  const { operationId, amountMicros } = command;
  const known = books.operations.get(operationId);
  checkCommand(known, command);
  // Settled with another amount is not this settlement: the caller must not believe that its amount was debited.
  if (known?.state === 'settled') return known.chargedMicros === amountMicros ? 'settled' : 'ended';
  if (known?.state !== 'held') return 'ended';
  const wallet = walletOf(books, known.accountId);
  if (amountMicros > known.holdMicros + availableOf(wallet)) return 'insufficient';
  const settled = { ...known, state: 'settled', holdMicros: 0n, chargedMicros: amountMicros } as const;
  write(books, operationId, settled, {
    balanceMicros: wallet.balanceMicros - amountMicros,
    reservedMicros: wallet.reservedMicros - known.holdMicros,
  });
  return 'settled';
};

const release = (books: Books, command: LedgerCommand): 'released' | 'ended' => {
  const { operationId, accountId } = command;
  const known = books.operations.get(operationId);
  checkCommand(known, command);
  if (known?.state === 'settled') return 'ended';
  const hold = known?.holdMicros ?? 0n;
  const wallet = walletOf(books, accountId);
  // Kept even where nothing was reserved: a reservation that arrives after its release must not come to life.
  const released = { accountId, state: 'released', holdMicros: 0n, chargedMicros: 0n } as const;
  write(books, operationId, released, { ...wallet, reservedMicros: wallet.reservedMicros - hold });
  return 'released';
};

/**
 * A host's wallet in memory, as strict as one may be: every command is repeatable by its operation id for ever, what has
 * ended stays ended, and 0 ≤ reserved ≤ balance. The reference for an implementation of a `CreditLedger`.
 */
export const createMemoryLedger = (): MemoryLedger => {
  const books: Books = { wallets: new Map(), operations: new Map() };
  return {
    reserve: async (command) => reserve(books, command),
    extend: async (command) => extend(books, command),
    settle: async (command) => settle(books, command),
    release: async (command) => release(books, command),
    deposit: (accountId, amountMicros) => {
      if (amountMicros <= 0n) throw new RangeError('a deposit is above 0');
      const wallet = walletOf(books, accountId);
      books.wallets.set(accountId, { ...wallet, balanceMicros: wallet.balanceMicros + amountMicros });
    },
    wallet: (accountId) => walletOf(books, accountId),
    operation: (operationId) => books.operations.get(operationId),
  };
};
