/** What a webhook's address must pass before anything is sent to it. */
export type AddressVerdict =
  | { readonly kind: 'allowed'; /** As it is stored and called. */ readonly url: string }
  | { readonly kind: 'refused'; /** For the client, in words that name the rule. */ readonly why: string };

export type SendOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | null }
  /** No answer: the name did not resolve, the connection failed, or it took too long. */
  | { readonly kind: 'unreachable' }
  /** The address is not a public one (any more): nothing was sent. */
  | { readonly kind: 'refused' };

/** Sends events over HTTPS, and judges addresses. The engine signs; the sender decides where it may go. */
export interface WebhookSender {
  readonly check: (url: string) => Promise<AddressVerdict>;
  /** One attempt, with a deadline of its own. Never throws, never follows a redirect, never keeps the answer's body. */
  readonly send: (delivery: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }) => Promise<SendOutcome>;
  readonly close: () => Promise<void>;
}
