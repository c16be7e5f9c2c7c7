import { errorTable, type GatewayError } from '@tollgate/contract';
import { doneEvent } from '@tollgate/sse';
import type { OperationRecord } from '@tollgate/storage';
import type { ContentEnding } from './content-ending.ts';
import { encodeContent, receiptOf, shownUsage } from './encode-content.ts';
import { googleError } from '../google/google-error.ts';
import { contentMembers } from './plan-content.ts';

/** How a stream is written for one client. */
export interface StreamForm {
  readonly brand: string;
  /** Nothing but candidates: the credits stand in the last of them, and neither events with a name nor `[DONE]` are sent. */
  readonly google: boolean;
  /** Whether `[DONE]` ends the stream (stream:generate:done). */
  readonly done: boolean;
}

/** JSON text holds no line end, so an event needs no look at its text. */
const dataEvent = (json: string): string => `data: ${json}\n\n`;

/** What begins and ends every incremental event of an operation, so that an event costs one pass over its parts. */
export const createPieceEncoder = (model: string, operationId: string): ((parts: readonly object[]) => string) => {
  const head = 'data: {"candidates":[{"content":{"role":"model","parts":';
  const tail = `},"index":0}],"modelVersion":${JSON.stringify(model)},"responseId":${JSON.stringify(operationId)}}\n\n`;
  return (parts) => `${head}${JSON.stringify(parts)}${tail}`;
};

const completed = ({ brand, done }: StreamForm, operation: OperationRecord): string => {
  const data = JSON.stringify({ type: 'content.completed', [brand]: receiptOf(operation) });
  return `event: content.completed\ndata: ${data}\n\n${done ? doneEvent : ''}`;
};

const ids = (operation: OperationRecord) => ({ modelVersion: operation.model, responseId: operation.id });

/** Beside the reason of an end. Clients take an event without a part for a broken answer, and forget the whole of it. */
const lastParts = (ending: ContentEnding): readonly object[] =>
  ending.kind === 'candidate' && ending.isUsable ? [{ text: '' }] : [];

/** What follows the pieces once they are settled: why they ended, and the credits (stream:generate:completed-once-after-content). */
export const encodeStreamEnd = (form: StreamForm, operation: OperationRecord, ending: ContentEnding): string => {
  const last = { ...contentMembers(lastParts(ending), ending), ...ids(operation), ...shownUsage(operation) };
  if (form.google) return dataEvent(JSON.stringify({ ...last, [form.brand]: receiptOf(operation) }));
  return dataEvent(JSON.stringify(last)) + completed(form, operation);
};

/** A stream whose answer is known whole: of a replay, and of what came without pieces. */
export const encodeWholeStream = (form: StreamForm, operation: OperationRecord, body: string): string => {
  if (form.google) return dataEvent(encodeContent(form.brand, operation, body));
  const usage = JSON.stringify(shownUsage(operation));
  const content = usage === '{}' ? body : `${body.slice(0, -1)},${usage.slice(1)}`;
  return dataEvent(content) + completed(form, operation);
};

/** How a stream fails after its first event (stream:generate:error-midway). */
export const encodeStreamError = (form: StreamForm, error: GatewayError): string => {
  const { code, message, requestId } = error;
  if (form.google)
    return dataEvent(googleError({ status: errorTable[code].status, message, code, requestId: requestId ?? null }));
  const data = { error: { code, message, ...(requestId === undefined ? {} : { request_id: requestId }) } };
  return `event: error\n${dataEvent(JSON.stringify(data))}`;
};
