/** A command to the ledger, as its sender knows it. Amounts are micro-credits. */
export type LedgerCall =
  | {
      readonly kind: 'open';
      readonly operationId: string;
      /** Project and identity together, or null where the request had none. */
      readonly identity: string | null;
      readonly fingerprint: string;
      readonly holdMicros: bigint;
    }
  /** The whole amount wanted for the operation, captured parts included. */
  | { readonly kind: 'extend'; readonly operationId: string; readonly holdMicros: bigint }
  | { readonly kind: 'capture'; readonly operationId: string; readonly sequence: number; readonly amountMicros: bigint }
  | {
      readonly kind: 'settle';
      readonly operationId: string;
      readonly measuredMicros: bigint;
      /** Pico-credits beyond that, which the account carries; 0 where it is left out. */
      readonly fractionPicos?: number;
      /** Whether the host waives what neither hold nor free balance cover. */
      readonly absorbs: boolean;
    }
  | { readonly kind: 'fail'; readonly operationId: string }
  /** A deposit, or a correction of either sign. */
  | { readonly kind: 'deposit'; readonly reference: string; readonly amountMicros: bigint };

/** What the sender received. `walletSeq` is the wallet's `seq` that the answer shows or made. */
export type LedgerReply =
  | {
      readonly kind: 'started' | 'extended' | 'captured' | 'settled' | 'pending' | 'failed';
      readonly walletSeq: number;
    }
  /** `availableMicros` where it was reported. */
  | { readonly kind: 'insufficient'; readonly walletSeq: number; readonly availableMicros?: bigint }
  | { readonly kind: 'done' | 'repeated'; readonly walletSeq: number; readonly balanceMicros: bigint }
  | { readonly kind: 'known' | 'conflict'; readonly operationId: string }
  /** Nothing was done, and the answer shows no balance. */
  | { readonly kind: 'ended' | 'missing' | 'refused' };

/** One call and its answer, with the times by one clock at which it was sent and answered. */
export interface RecordedCall {
  readonly accountId: string;
  readonly call: LedgerCall;
  readonly reply: LedgerReply;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A wallet's sums at some `seq`. */
export interface WalletSums {
  readonly balanceMicros: bigint;
  readonly reservedMicros: bigint;
  readonly seq: number;
}

export interface HistoryViolation {
  readonly rule:
    /** No recorded call made the change that this `seq` stands for. */
    | 'change_unexplained'
    /** Two calls were confirmed to have made the same change. */
    | 'change_made_twice'
    /** An answer that the wallet, as it was then, does not justify. */
    | 'answer_not_justified'
    /** A call that was answered before another was sent comes after it in the wallet's order. */
    | 'order_against_time'
    /** More than one operation under one identity, or one operation started twice. */
    | 'executed_twice'
    /** The sums on record are not those that the history comes to. */
    | 'sums_differ';
  readonly accountId: string;
  readonly detail: string;
}
