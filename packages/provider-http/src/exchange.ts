import type { Dispatcher } from 'undici';
import { readNoting, startBody, type BodyProgress } from './sent-body.ts';
import type { WireBody } from './wire-body.ts';

/** Names in lower case. */
export type WireHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** How one upstream request ended; what is not `answered` or `streamed` is an `UnansweredCall`. */
export type WireOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: WireHeaders; readonly body: string }
  /** A 2xx answer came to its end, and `onChunk` took its bytes. */
  | { readonly kind: 'streamed'; readonly status: number; readonly headers: WireHeaders }
  /** Nothing was written to a connection, nor will be, or the body was certainly not written to its end. */
  | {
      readonly kind: 'not_sent';
      readonly why: 'aborted' | 'timed_out' | 'unreachable' | 'refused' | 'body_unfinished' | 'body_unreadable';
      readonly cause: unknown;
    }
  /** Something was written, and no whole answer came; `status` is known where the headers came. */
  | {
      readonly kind: 'lost';
      readonly detail: 'aborted' | 'timed_out' | 'response_too_large' | 'unreadable_answer' | 'connection_lost';
      readonly status: number | null;
      /** None where they did not come. */
      readonly headers: WireHeaders;
      readonly cause: unknown;
    };

type LossDetail = Extract<WireOutcome, { kind: 'lost' }>['detail'];

/** A request without its body. */
export interface WireRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
}

/** Takes bytes of an answer; returns `enough` when it waits for no more. What it throws makes the answer unreadable. */
export type OnChunk = (chunk: Buffer) => 'enough' | undefined | void;

export interface WireExchange {
  readonly dispatcher: Dispatcher;
  readonly request: WireRequest;
  readonly body?: WireBody;
  readonly signal: AbortSignal;
  readonly limits: {
    /** From the call to the end of its answer. */
    readonly timeoutMs: number;
    /** A longer answer is not read to its end. */
    readonly responseBytesMax: number;
  };
  /** Takes the bytes of a 2xx answer as they come; without it they are gathered. */
  readonly onChunk?: OnChunk;
  /** Whether a 2xx answer of these headers goes to `onChunk` (default: each does). */
  readonly streams?: (headers: WireHeaders) => boolean;
}

/** How long the end of an answer is waited for that has said all it has to say. */
const endMsMax = 1_000;

/** Kept in plain records with functions beside them: it is read for each event of a thousand streams in turn. */
interface Progress {
  settled: boolean;
  controller: Dispatcher.DispatchController | undefined;
  status: number | null;
  headers: WireHeaders;
  readonly chunks: Buffer[];
  /** What the answer may still have. */
  bytesLeft: number;
  /** Takes what comes; undefined where it is gathered. */
  take: OnChunk | undefined;
  readonly body: BodyProgress;
}

type GiveUp = (detail: Exclude<LossDetail, 'connection_lost'>, cause: unknown) => void;

/**
 * Makes one upstream request, never a second one, and follows no redirect. Never rejects. Uses `dispatch` because it tells when the
 * first byte is about to be written, which parts "nothing ran" from "may have run", and because it costs the least.
 */
export const exchange = (options: WireExchange): Promise<WireOutcome> =>
  new Promise((resolve) => {
    const { signal, limits } = options;
    const progress = startProgress(options);
    const settle = (outcome: WireOutcome): void => {
      if (progress.settled) return;
      progress.settled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const giveUp: GiveUp = (detail, cause) => {
      const { controller } = progress;
      if (controller !== undefined) settle(lost(progress, detail, cause));
      // An answer can only be too large or unreadable once it has begun.
      else settle({ kind: 'not_sent', why: detail === 'aborted' ? 'aborted' : 'timed_out', cause });
      controller?.abort(new Error(detail));
    };
    const onAbort = (): void => giveUp('aborted', signal.reason);
    let timer = setTimeout(() => giveUp('timed_out', undefined), limits.timeoutMs);
    const awaitEnd = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => giveUp('timed_out', undefined), endMsMax);
    };
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else
      options.dispatcher.dispatch(
        toDispatch(options, progress),
        wireHandler({ progress, settle, giveUp, awaitEnd, options }),
      );
  });

const startProgress = ({ body, limits }: WireExchange): Progress => ({
  settled: false,
  controller: undefined,
  status: null,
  headers: {},
  chunks: [],
  bytesLeft: limits.responseBytesMax,
  take: undefined,
  body: startBody(body),
});

const toDispatch = ({ request, body }: WireExchange, progress: Progress): Dispatcher.DispatchOptions => {
  if (body === undefined) return request;
  if (body.kind === 'bytes') return { ...request, body: body.bytes };
  return {
    ...request,
    headers: { ...request.headers, 'content-length': String(body.byteLength) },
    body: readNoting(body.read, progress.body),
  };
};

interface HandlerOptions {
  readonly progress: Progress;
  readonly settle: (outcome: WireOutcome) => void;
  readonly giveUp: GiveUp;
  readonly awaitEnd: () => void;
  readonly options: WireExchange;
}

const wireHandler = (parts: HandlerOptions): Dispatcher.DispatchHandler => {
  const { progress, settle, giveUp, options } = parts;
  return {
    onRequestStart(controller) {
      // It waited for a connection until its caller gave up, or would be written a second time: it must not go out.
      if (progress.settled || progress.controller !== undefined) controller.abort(new Error('not wanted'));
      else progress.controller = controller;
    },
    onResponseStart(controller, status, headers) {
      if (status < 200) return;
      // The client keeps their bytes until the end of the answer, and with them all that was read beside them for other calls.
      controller.rawHeaders = null;
      progress.status = status;
      progress.headers = headers;
      if (status < 300 && options.streams?.(headers) !== false) progress.take = options.onChunk;
    },
    // Runs for each event of a thousand streams in turn, so that nothing lies in the processor's caches any more: it looks at
    // as few records as it can.
    onResponseData(_controller, chunk) {
      progress.bytesLeft -= chunk.length;
      if (progress.bytesLeft < 0) giveUp('response_too_large', undefined);
      else if (progress.take === undefined) progress.chunks.push(chunk);
      else handOver(progress.take, chunk, parts);
    },
    onResponseEnd() {
      const { status, headers } = progress;
      if (status === null) settle(lost(progress, 'connection_lost', undefined));
      else if (progress.take !== undefined) settle({ kind: 'streamed', status, headers });
      else settle({ kind: 'answered', status, headers, body: readText(progress.chunks) });
    },
    onResponseError(_controller, cause) {
      if (progress.controller === undefined) settle({ kind: 'not_sent', why: whyNotSent(cause), cause });
      else settle(lost(progress, 'connection_lost', progress.body.failure ?? cause));
    },
  };
};

const handOver = (take: OnChunk, chunk: Buffer, { progress, giveUp, awaitEnd }: HandlerOptions): void => {
  // A call that was given up hands nothing over any more.
  if (progress.settled) return;
  try {
    // The receiver of the bytes may abort the call while it takes them.
    if (take(chunk) !== 'enough' || progress.settled) return;
    progress.take = passOver;
    awaitEnd();
  } catch (cause) {
    giveUp('unreadable_answer', cause);
  }
};

const passOver: OnChunk = () => undefined;

/** An upstream that has not got the end of the request, and has not answered, has not run it. */
const lost = ({ status, headers, body }: Progress, detail: LossDetail, cause: unknown): WireOutcome => {
  if (body.isWhole || status !== null) return { kind: 'lost', detail, status, headers, cause };
  if (detail === 'aborted') return { kind: 'not_sent', why: 'aborted', cause };
  return { kind: 'not_sent', why: body.failure === undefined ? 'body_unfinished' : 'body_unreadable', cause };
};

const whyNotSent = (cause: Error): 'refused' | 'unreachable' =>
  'code' in cause && cause.code === 'ECONNREFUSED' ? 'refused' : 'unreachable';

/** Most answers come in one piece, which needs no copy. */
const readText = (chunks: readonly Buffer[]): string => {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8');
};
