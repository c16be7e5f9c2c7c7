import type { NotExecutedReason } from './not-executed-reason.ts';

/**
 * Whether an answer of this HTTP status, which is not 2xx, says for certain that nothing ran, or that it failed and bills
 * nothing. A gateway's 408, 499 and most 5xx do not tell whether the model behind it ran. An upstream whose statuses mean
 * something else needs a rule of its own.
 */
export const isCertainStatus = (status: number): boolean =>
  (status >= 300 && status < 500 && status !== 408 && status !== 499) || [500, 501, 503, 529].includes(status);

/**
 * Why nothing ran, by a status that is certain. `bad_request` where only the body tells, for it may speak of the content, of
 * its size, or of the host's account.
 */
export const reasonOfStatus = (status: number): NotExecutedReason | 'bad_request' => {
  switch (status) {
    case 400:
    case 413:
    case 422:
      return 'bad_request';
    case 429:
      return 'rate_limited';
    case 409:
    case 425:
    case 500:
    case 501:
      return 'failed';
    default:
      // What is left speaks of the host's credentials, its base address, its model name, or of an upstream that is down.
      return 'unavailable';
  }
};

/**
 * Whether a refusal of this status (not 2xx) and reason comes again until a person changes something: credentials, an account, a
 * base address or the name of a model. An upstream that is down says so with a 5xx.
 */
export const isLastingRefusal = (status: number, reason: NotExecutedReason): boolean =>
  reason === 'unavailable' && status < 500;
