import type { LimitVerdict } from '../ports/usage-limiter.ts';

type Refusal = Exclude<LimitVerdict, { readonly kind: 'admitted' }>;

/** Tenths of a second are exact enough for people, and some clients read the wait from the text. */
const secondsOf = (ms: number): string => (Math.max(1, Math.ceil(ms / 100)) / 10).toString();

const boundOf = ({ amount, limit }: Refusal): string => {
  switch (amount) {
    case 'requests':
      return `${limit} requests a minute`;
    case 'tokens':
      return `${limit} tokens a minute`;
    case 'concurrency':
      return `${limit} ${limit === 1 ? 'request' : 'requests'} at once`;
  }
};

/** Which limit was met and what its bound is, in words for the client. */
export const explainLimit = (refusal: Refusal, asked: number): string => {
  const { level, kind, retryAfterMs } = refusal;
  return kind === 'too_large'
    ? `The request may use ${asked} tokens, and the limit of the ${level} is ${boundOf(refusal)}; lower the maximum of the output or shorten the input.`
    : `The ${level} has reached its limit of ${boundOf(refusal)}. Please try again in ${secondsOf(retryAfterMs)}s.`;
};
