import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../wire/exchange.ts';
import type { KitAsk } from './kit.ts';

/** A host may limit the rate of requests: the kit waits as long as the response says, so often. */
const limitedTriesMax = 5;
const pauseMsMax = 10_000;

/** A body that is a stream cannot be sent again. */
const isLimited = ({ status, headers }: Answer, { body }: KitAsk): boolean =>
  status === 429 && headers.has('retry-after') && !(body instanceof ReadableStream);

const pauseMsOf = ({ headers }: Answer): number =>
  Math.min(pauseMsMax, Math.max(0, Number(headers.get('retry-after')) || 0) * 1_000);

/** Sends a request, again where a limit of the host refuses it. */
export const sendWithinLimit = async (ask: KitAsk, send: (ask: KitAsk) => Promise<Answer>): Promise<Answer> => {
  let answer = await send(ask);
  for (let tries = 0; tries < limitedTriesMax && isLimited(answer, ask); tries += 1) {
    await sleep(pauseMsOf(answer));
    answer = await send(ask);
  }
  return answer;
};
