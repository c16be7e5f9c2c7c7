import {
  creditsFromMicros,
  type Observe,
  type ObservedCaller,
  type ObservedEvent,
  type Observer,
} from '@tollgate/engine';

/** What is written of one request when its response has ended: ids, numbers and words of the gateway, no content and no key. */
export interface RequestLine {
  /** RFC 3339, UTC. */
  readonly at: string;
  /** The id that every other line of the request carries. */
  readonly requestId: string;
  /** The operation that the request opened or that its response was replayed from: `x-request-id` of the response. */
  readonly operationId: string | null;
  readonly method: string;
  /** The route of the contract that the request stands for, whichever dialect it came in; null where its key was refused. */
  readonly route: string | null;
  readonly status: number;
  /** The code of the error that the client got. */
  readonly code: string | null;
  readonly durationMs: number;
  readonly isStream: boolean;
  readonly isReplay: boolean;
  readonly accountId: string | null;
  readonly projectId: string | null;
  readonly keyId: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  /** From the call of the provider to its end. */
  readonly upstreamMs: number | null;
  readonly upstreamRequests: number;
  /** From the beginning of the request to the first piece of a stream. */
  readonly firstPieceMs: number | null;
  /** How the operation ended by now; null while it runs on, and where there is none. */
  readonly outcome: 'settled' | 'pending' | 'failed' | 'uncertain' | null;
  /** Where it is settled by now. */
  readonly chargedCredits: number | null;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
type Entry = Mutable<Omit<RequestLine, 'at'>> & { readonly startedMs: number };

export interface RequestLogOptions {
  readonly write: (line: RequestLine) => void;
  readonly wallClockMs: () => number;
  readonly monotonicMs: () => number;
}

const begin = (requestId: string, method: string, startedMs: number): Entry => ({
  startedMs,
  requestId,
  operationId: null,
  method,
  route: null,
  status: 0,
  code: null,
  durationMs: 0,
  isStream: false,
  isReplay: false,
  accountId: null,
  projectId: null,
  keyId: null,
  model: null,
  provider: null,
  upstreamMs: null,
  upstreamRequests: 0,
  firstPieceMs: null,
  outcome: null,
  chargedCredits: null,
});

const noteCaller = (entry: Entry, { accountId, projectId, keyId }: ObservedCaller): void => {
  entry.accountId = accountId;
  entry.projectId = projectId;
  entry.keyId = keyId;
};

type OperationEvent = Extract<ObservedEvent, { readonly operationId: string }>;

/** What an event of an operation adds to the line of the request that opened it. */
const noteOperation = (entry: Entry, event: OperationEvent, nowMs: number): void => {
  if (event.kind === 'execution_started') entry.provider = event.provider;
  else if (event.kind === 'execution_ended') entry.upstreamMs = event.durationMs;
  else if (event.kind === 'upstream_attempt') entry.upstreamRequests += 1;
  else if (event.kind === 'stream_begun') entry.firstPieceMs = nowMs - entry.startedMs;
  else if (event.kind === 'operation_ended') {
    entry.outcome = event.end.kind;
    if (event.end.kind === 'settled') entry.chargedCredits = creditsFromMicros(event.end.chargedMicros);
  }
};

/** Requests that are remembered at once; the line of the oldest is lost when there are more. */
const entriesMax = 65_536;

/** What is remembered of the requests under way. */
interface UnderWay {
  readonly entries: Map<string, Entry>;
  /** By the operation that a request opened. */
  readonly openedBy: Map<string, Entry>;
}

const attach = ({ entries }: UnderWay, requestId: string | null, operationId: string): Entry | undefined => {
  const entry = requestId === null ? undefined : entries.get(requestId);
  if (entry !== undefined) entry.operationId = operationId;
  return entry;
};

const take = ({ entries, openedBy }: UnderWay, requestId: string): Entry | undefined => {
  const entry = entries.get(requestId);
  if (entry === undefined) return undefined;
  entries.delete(requestId);
  if (entry.operationId !== null && openedBy.get(entry.operationId) === entry) openedBy.delete(entry.operationId);
  return entry;
};

const dropOldest = (underWay: UnderWay): void => {
  const [oldest] = underWay.entries.keys();
  if (oldest !== undefined) take(underWay, oldest);
};

/** What an event before the end of the response adds to the line of its request. */
const note = (underWay: UnderWay, event: ObservedEvent, nowMs: number): void => {
  const { entries, openedBy } = underWay;
  if (event.kind === 'request_admitted') {
    const entry = entries.get(event.requestId);
    if (entry === undefined) return;
    entry.route = event.route;
    noteCaller(entry, event.caller);
  } else if (event.kind === 'request_refused') {
    const entry = entries.get(event.requestId);
    if (entry !== undefined) entry.code = event.code;
  } else if (event.kind === 'operation_opened') {
    const entry = attach(underWay, event.requestId, event.operation.id);
    if (entry === undefined) return;
    entry.model = event.operation.model;
    openedBy.set(event.operation.id, entry);
  } else if (event.kind === 'operation_replayed') {
    const entry = attach(underWay, event.requestId, event.operationId);
    if (entry !== undefined) entry.isReplay = true;
  } else if ('operationId' in event) {
    const entry = openedBy.get(event.operationId);
    if (entry !== undefined) noteOperation(entry, event, nowMs);
  }
};

/** Writes one line for each request, when its response has ended. */
export const createRequestLog = ({ write, wallClockMs, monotonicMs }: RequestLogOptions): Observer => {
  const underWay: UnderWay = { entries: new Map(), openedBy: new Map() };
  const { entries } = underWay;
  const observe: Observe = (event) => {
    if (event.kind === 'request_started') {
      if (entries.size >= entriesMax) dropOldest(underWay);
      entries.set(event.requestId, begin(event.requestId, event.method, monotonicMs()));
    } else if (event.kind === 'request_ended') {
      const entry = take(underWay, event.requestId);
      if (entry === undefined) return;
      const { startedMs: _startedMs, ...line } = entry;
      const { status, durationMs, isStream } = event;
      write({ at: new Date(wallClockMs()).toISOString(), ...line, status, durationMs, isStream });
    } else note(underWay, event, monotonicMs());
  };
  return { observe };
};
