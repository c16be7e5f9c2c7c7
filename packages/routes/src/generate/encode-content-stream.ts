import { errorTable, isRecord, type GatewayError } from '@tollgate/contract';
import { doneEvent } from '@tollgate/sse';
import type { OperationRecord } from '@tollgate/storage';
import type { ContentEnding } from './content-ending.ts';
import { encodeContent, receiptOf, shownUsage } from './encode-content.ts';
import { toGoogleError } from '../dialects/google/google-error.ts';
import { errorText } from '../render-error.ts';
import { dataEvent } from '../stream-in-time.ts';
import { contentMembers } from './plan-content.ts';
import { divideParts, parseDivision } from './stream-division.ts';

/** How a stream is written for one client. */
export interface StreamForm {
  readonly brand: string;
  /** Nothing but candidates: the credits stand in the last of them, and neither events with a name nor `[DONE]` are sent. */
  readonly google: boolean;
  // stream:generate:done
  /** Whether `[DONE]` ends the stream. */
  readonly done: boolean;
}

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

// stream:generate:completed-once-after-content
/** What follows the pieces once they are settled: why they ended, and the credits. */
export const encodeStreamEnd = (form: StreamForm, operation: OperationRecord, ending: ContentEnding): string => {
  const last = { ...contentMembers(lastParts(ending), ending), ...ids(operation), ...shownUsage(operation) };
  if (form.google) return dataEvent(JSON.stringify({ ...last, [form.brand]: receiptOf(operation) }));
  return dataEvent(JSON.stringify(last)) + completed(form, operation);
};

/** A stream whose answer is known whole: of what came without pieces, or with more of them than are noted. */
const encodeWholeStream = (form: StreamForm, operation: OperationRecord, body: string): string => {
  if (form.google) return dataEvent(encodeContent(form.brand, operation, body));
  const usage = JSON.stringify(shownUsage(operation));
  const content = usage === '{}' ? body : `${body.slice(0, -1)},${usage.slice(1)}`;
  return dataEvent(content) + completed(form, operation);
};

/** Why a stored answer ended, and what is said about it; null where it has no candidate. */
const endingOf = (body: unknown, isUsable: boolean): { parts: readonly object[]; ending: ContentEnding } | null => {
  const candidates: readonly unknown[] = isRecord(body) && Array.isArray(body['candidates']) ? body['candidates'] : [];
  const [candidate] = candidates;
  if (!isRecord(candidate)) return null;
  const { content, index: _, ...closing } = candidate;
  const parts: readonly unknown[] = isRecord(content) && Array.isArray(content['parts']) ? content['parts'] : [];
  return { parts: parts.filter(isRecord), ending: { kind: 'candidate', closing, isUsable } };
};

/** A stream once more: the events as they were sent where that was noted, else the answer in one event. */
export const encodeReplayedStream = (
  form: StreamForm,
  operation: OperationRecord,
  { body, division }: { readonly body: string; readonly division: string | null },
): string => {
  const divided = division === null ? null : parseDivision(division);
  const ended = divided === null ? null : endingOf(JSON.parse(body), divided.usable);
  const events = divided === null || ended === null ? null : divideParts(divided, ended.parts);
  if (events === null || ended === null) return encodeWholeStream(form, operation, body);
  const encode = createPieceEncoder(operation.model, operation.id);
  return events.map(encode).join('') + encodeStreamEnd(form, operation, ended.ending);
};

// stream:generate:error-midway
/** How a stream fails after its first event. */
export const encodeStreamError = (form: StreamForm, error: GatewayError): string => {
  const body = errorText(error);
  return form.google
    ? dataEvent(toGoogleError(errorTable[error.code].status, body))
    : `event: error\n${dataEvent(body)}`;
};
