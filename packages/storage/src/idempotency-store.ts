/** What an Idempotency-Key of a project stands for. */
export interface IdentityClaim {
  readonly projectId: string;
  readonly identity: string;
  readonly fingerprint: string;
  readonly operationId: string;
}

/**
 * Identities that the host keeps itself, for instance where other services share the name space. The storage claims them as
 * well, in the step that opens the operation, and it alone makes the execution unique: gateways that share identities must
 * share the storage, for a claim whose operation is not found there is taken up.
 */
export interface IdempotencyStore {
  /** Claims the identity for this operation, or returns the claim that stands. Exactly one of any number of racers wins. */
  claim(
    claim: IdentityClaim,
  ): Promise<{ readonly kind: 'claimed' } | { readonly kind: 'known'; readonly claim: IdentityClaim }>;
  /** Takes back a claim whose operation was refused before it was registered; another operation's claim is left alone. */
  release(claim: IdentityClaim): Promise<void>;
}
