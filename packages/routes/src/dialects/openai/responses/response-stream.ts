import { withoutApiKeys } from '@tollgate/engine';
import type { AnswerHead, StreamWriter } from '../../generation/generation-dialect.ts';
import { closeItems, createEvents, writeEvent, writePart } from './item-events.ts';
import { endedResponse, openResponse, outcomeOf, responseHead } from './response-object.ts';

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
    end: (settled) => {
      const begun = opening() + closeItems(events);
      const { status } = outcomeOf(settled.answer.finish);
      return begun + writeEvent(events, `response.${status}`, { response: endedResponse(head, settled) });
    },
    fail: ({ code, message }) => {
      const error = { code: failureCode, message: withoutApiKeys(message), reason: code };
      const failed = { status: 'failed', error, incomplete_details: null, output: [], usage: null };
      return writeEvent(events, 'response.failed', { response: { ...responseHead(head), ...failed } });
    },
  };
};
