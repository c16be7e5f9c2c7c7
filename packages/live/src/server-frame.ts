import { errorTable, type ErrorCode } from '@tollgate/contract';

/** What the gateway itself says on a socket; everything else is the model's. */

export const setupComplete = '{"setupComplete":{}}';

/** One answer for every fault of a credential, so that a caller does not learn which it was. */
export const badAccessFrame = JSON.stringify({
  error: { code: 'invalid_api_key', message: 'The access is wrong, expired or used.' },
});

/** The frame before a session that is not opened, as its caller runs as much as it may. */
export const limitedFrame = (code: ErrorCode, detail: string | undefined): string =>
  JSON.stringify({ error: { code, message: detail ?? errorTable[code].message } });

/** The goAway frame before the end of a session that the balance does not cover any more. */
export const insufficientFrame = JSON.stringify({
  goAway: { timeLeft: '0s' },
  error: { code: 'ai_insufficient_credits', message: 'The balance does not cover the continuation of the session.' },
});

/** The goAway frame before the end of a session whose key, project or account may not be used any more. */
export const accessLostFrame = (code: ErrorCode): string =>
  JSON.stringify({ goAway: { timeLeft: '0s' }, error: { code, message: errorTable[code].message } });

/** The goAway frame before the end of a session that has been open for as long as one may be. */
export const tooLongFrame = JSON.stringify({ goAway: { timeLeft: '0s' } });

/** The goAway frame before the end of a session whose client sends faster than its hold is extended. */
export const tooMuchWaitsFrame = (bytesMax: number): string =>
  JSON.stringify({
    goAway: { timeLeft: '0s' },
    error: {
      code: 'input_limit',
      message: `The frames that wait for their credits exceed ${bytesMax} bytes, 512 added for each. Send them more slowly.`,
    },
  });
