import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../wire/exchange.ts';
import { CaseDisturbed } from './findings.ts';
import type { KitAsk } from './kit.ts';

/** A host may limit the rate of requests: the kit waits as long as the response says, so often. */
const limitedTriesMax = 5;
const pauseMsMax = 10_000;

/** A gateway that is not there for a moment, as one that starts anew, is asked again so often. */
const absentTriesMax = 1;

/** A body that is a stream cannot be sent again. */
const isRepeatable = ({ body }: KitAsk): boolean => !(body instanceof ReadableStream);

const isLimited = ({ status, headers }: Answer): boolean => status === 429 && headers.has('retry-after');

/** Whether a response says that the gateway is not there for a moment, where the case does not ask for that. */
export const isAbsence = ({ status, headers }: Pick<Answer, 'status' | 'headers'>, { wants503 }: KitAsk): boolean =>
  wants503 !== true && status === 503 && headers.has('retry-after');

const pauseMsOf = ({ headers }: Answer): number =>
  Math.min(pauseMsMax, Math.max(0, Number(headers.get('retry-after')) || 0) * 1_000);

/** Sends a request, again where a limit of the host refuses it or the gateway is not there for a moment. */
export const sendWithinLimit = async (ask: KitAsk, send: (ask: KitAsk) => Promise<Answer>): Promise<Answer> => {
  let answer = await send(ask);
  for (let limited = 0, absent = 0; isRepeatable(ask);) {
    if (isLimited(answer) && limited < limitedTriesMax) limited += 1;
    else if (isAbsence(answer, ask) && absent < absentTriesMax) absent += 1;
    else break;
    await sleep(pauseMsOf(answer));
    answer = await send(ask);
  }
  if (isAbsence(answer, ask))
    throw new CaseDisturbed(
      `disturbed: ${answer.method} ${answer.path} returned 503 with Retry-After, also when repeated`,
    );
  return answer;
};
