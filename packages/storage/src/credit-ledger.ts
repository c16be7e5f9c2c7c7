/** What each command of a `CreditLedger` names. Amounts are whole micro-credits. */
export interface LedgerCommand {
  readonly operationId: string;
  readonly accountId: string;
}

export interface LedgerAmount extends LedgerCommand {
  readonly amountMicros: bigint;
}

/**
 * A wallet that the host keeps itself. Each command is atomic, and repeating it with the same operation id changes nothing
 * and gives the same answer: the engine repeats after any failure. What it throws is taken as "unknown", never as "no".
 */
export interface CreditLedger {
  /** Sets the amount aside from free balance, or refuses. */
  reserve(command: LedgerAmount): Promise<'reserved' | 'insufficient' | 'ended'>;
  /** Raises the operation's hold to the amount (a total, so repeating is harmless). */
  extend(command: LedgerAmount): Promise<'extended' | 'insufficient' | 'ended'>;
  /**
   * Debits the amount, taking what exceeds the hold from free balance only, and frees the surplus; or changes nothing. `ended`
   * where the operation was released, was never reserved, or was settled with another amount.
   */
  settle(command: LedgerAmount): Promise<'settled' | 'insufficient' | 'ended'>;
  /** Frees the whole hold without a debit; kept also for an operation that was never reserved. `ended` where it was settled. */
  release(command: LedgerCommand): Promise<'released' | 'ended'>;
}
