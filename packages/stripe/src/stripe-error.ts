/** What an error of Stripe's library says, read without trust in its class: two copies of the library may be installed. */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const paymentOf = (error: Readonly<Record<string, unknown>>): string | null =>
  isObject(error['payment_intent']) ? textOf(error['payment_intent']['id']) : null;

/** A field of what came from outside; undefined where there is none. */
export const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** Codes of calls that met another one with the same key, or a lock: that one's end is not known yet. */
const undecided: ReadonlySet<string> = new Set(['idempotency_key_in_use', 'lock_timeout', 'rate_limit']);

/** Errors by which Stripe says that nothing was charged: the card, or what is asked for, is refused for good. */
const refusals: ReadonlySet<string> = new Set(['StripeCardError', 'StripeInvalidRequestError']);

export interface CardError {
  readonly code: string;
  readonly paymentIntent: string | null;
}

/** The refusal that an error is; null where it is none, or where it is not known what happened. */
export const cardErrorOf = (error: unknown): CardError | null => {
  if (!isObject(error) || !refusals.has(String(error['type']))) return null;
  const code = textOf(error['code']) ?? textOf(error['decline_code']) ?? 'refused';
  return undecided.has(code) ? null : { code, paymentIntent: paymentOf(error) };
};

/** Whether an event was not signed with the secret, or its signature is too old. */
export const isUnverified = (error: unknown): boolean =>
  isObject(error) && error['type'] === 'StripeSignatureVerificationError';
