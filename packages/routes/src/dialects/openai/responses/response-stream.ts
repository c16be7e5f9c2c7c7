import { withoutApiKeys } from '@tollgate/engine';
import { encodeEvent } from '@tollgate/sse';
import type { AnswerHead, StreamWriter } from '../../generation/generation-dialect.ts';
import { createEvents, writeEvent } from './written-events.ts';
import { closeItems, writePart, writeStep } from './item-events.ts';
import { brokenResponse, endedResponse, openResponse, outcomeOf } from './response-object.ts';

/**
 * An outcome that is not known, or a failure after the first piece: one more request would be one more operation. Agents do not
 * repeat a response that failed with this code, and clients show the message.
 */
const failureCode = 'server_is_overloaded';

/** Writes the events of a response. */
export const openResponseStream = (head: AnswerHead): StreamWriter => {
  const events = createEvents(head);
  const opening = (): string => {
    if (events.next > 0) return '';
    const response = openResponse(head);
    return (
      writeEvent(events, 'response.created', { response }) + writeEvent(events, 'response.in_progress', { response })
    );
  };
  return {
    // Events are numbered in their order, so the opening is written first.
    piece: (parts) => opening() + parts.map((part) => writePart(events, part)).join(''),
    callStep: (step) => opening() + writeStep(events, step),
    end: (settled) => {
      const begun = opening() + closeItems(events);
      const { status } = outcomeOf(settled.answer.finish);
      // There is no event of this name, and one that says completed would be taken for success.
      const type = status === 'cancelled' ? 'failed' : status;
      return begun + writeEvent(events, `response.${type}`, { response: endedResponse(head, settled) });
    },
    fail: ({ code, message }) => {
      const error = { code: failureCode, message: withoutApiKeys(message), reason: code };
      const response =
        code === 'request_cancelled' ? brokenResponse(head, 'cancelled', null) : brokenResponse(head, 'failed', error);
      return writeEvent(events, 'response.failed', { response });
    },
    alive: () => {
      if (events.next === 0) return opening();
      // The number of the last event once more: a client that goes on from it gets what follows, and nothing twice.
      const again = { type: 'response.in_progress', sequence_number: events.next - 1, response: openResponse(head) };
      return encodeEvent({ event: again.type, data: JSON.stringify(again) });
    },
  };
};
