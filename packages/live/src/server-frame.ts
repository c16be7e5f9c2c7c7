/** What the gateway itself says on a socket; everything else is the model's. */

export const setupComplete = '{"setupComplete":{}}';

/** One answer for every fault of a credential, so that nobody learns which it was. */
export const badAccessFrame = JSON.stringify({
  error: { code: 'invalid_api_key', message: 'The access is wrong, expired or used.' },
});

/** The notice before the end of a session that the balance does not cover any more. */
export const insufficientFrame = JSON.stringify({
  goAway: { timeLeft: '0s' },
  error: { code: 'ai_insufficient_credits', message: 'The balance does not cover the continuation of the session.' },
});
