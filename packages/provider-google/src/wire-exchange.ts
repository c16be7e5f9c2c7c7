import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { type BodyProgress, readNoting, type UnknownOutcomeDetail, type WireBody } from '@tollgate/provider';

export type WireHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** How one wire call ended. */
export type WireOutcome =
  /** `body` is empty where the bytes went to `onChunk`. */
  | { readonly kind: 'answered'; readonly status: number; readonly headers: WireHeaders; readonly body: string }
  /** Nothing was written to a connection, nor will be, or the body was certainly not written to its end. */
  | {
      readonly kind: 'not_sent';
      readonly why: 'aborted' | 'timed_out' | 'unreachable' | 'refused' | 'body_unfinished';
      readonly cause: unknown;
    }
  /** Something was written, and no whole answer came; `status` is known where the headers came. */
  | {
      readonly kind: 'lost';
      readonly detail: UnknownOutcomeDetail;
      readonly status: number | null;
      readonly cause: unknown;
    };

export interface WireRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
}

export interface WireExchange {
  readonly dispatcher: Dispatcher;
  readonly request: WireRequest;
  readonly body?: WireBody;
  readonly signal: AbortSignal;
  readonly limits: { readonly timeoutMs: number; readonly responseBytesMax: number };
  /** Takes the bytes of a 2xx answer as they come. What it throws ends the call as unreadable. */
  readonly onChunk?: (chunk: Buffer) => void;
}

interface Progress {
  settled: boolean;
  controller: Dispatcher.DispatchController | undefined;
  status: number | null;
  headers: WireHeaders;
  readonly chunks: Buffer[];
  /** What the answer may still have. */
  bytesLeft: number;
  /** Takes what comes; undefined where it is gathered. */
  take: WireExchange['onChunk'];
  readonly body: BodyProgress;
}

type GiveUp = (
  detail: Extract<UnknownOutcomeDetail, 'aborted' | 'timed_out' | 'response_too_large' | 'unreadable_answer'>,
  cause: unknown,
) => void;

/**
 * Makes one wire call, never a second one, and follows no redirect. Never rejects. Uses `dispatch` because it tells when the
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
      // A response can only be unreadable once it has begun.
      if (controller === undefined) {
        settle({ kind: 'not_sent', why: detail === 'aborted' ? 'aborted' : 'timed_out', cause });
      } else settle(lost(progress, detail, cause));
      controller?.abort(new Error(detail));
    };
    const onAbort = (): void => giveUp('aborted', signal.reason);
    const timer = setTimeout(() => giveUp('timed_out', undefined), limits.timeoutMs);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else
      options.dispatcher.dispatch(
        toDispatch(options, progress),
        wireHandler({ onChunk: options.onChunk, progress, settle, giveUp }),
      );
  });

/** What is read ahead of a body while the connection is busy. */
const bodyBufferBytes = 65_536;

const startProgress = ({ body, limits }: WireExchange): Progress => ({
  settled: false,
  controller: undefined,
  status: null,
  headers: {},
  chunks: [],
  bytesLeft: limits.responseBytesMax,
  take: undefined,
  body: { isWhole: body?.kind !== 'pieces', failure: undefined },
});

const toDispatch = ({ request, body }: WireExchange, progress: Progress): Dispatcher.DispatchOptions => {
  if (body === undefined) return request;
  if (body.kind === 'bytes') return { ...request, body: body.bytes };
  return {
    ...request,
    headers: { ...request.headers, 'content-length': String(body.byteLength) },
    body: Readable.from(readNoting(body.read, progress.body), { objectMode: false, highWaterMark: bodyBufferBytes }),
  };
};

interface HandlerOptions {
  readonly onChunk: WireExchange['onChunk'];
  readonly progress: Progress;
  readonly settle: (outcome: WireOutcome) => void;
  readonly giveUp: GiveUp;
}

const wireHandler = ({ onChunk, progress, settle, giveUp }: HandlerOptions): Dispatcher.DispatchHandler => ({
  onRequestStart(controller) {
    // It waited for a connection until nobody waits for it, or would be written a second time: it must not go out.
    if (progress.settled || progress.controller !== undefined) controller.abort(new Error('not wanted'));
    else progress.controller = controller;
  },
  onResponseStart(_controller, status, headers) {
    if (status < 200) return;
    progress.status = status;
    progress.headers = headers;
    progress.take = status < 300 ? onChunk : undefined;
  },
  // Runs for each event of a thousand streams in turn, so that nothing lies in the processor's caches any more: it looks at as
  // few records as it can.
  onResponseData(_controller, chunk) {
    progress.bytesLeft -= chunk.length;
    if (progress.bytesLeft < 0) giveUp('response_too_large', undefined);
    else if (progress.take === undefined) progress.chunks.push(chunk);
    else handOver(progress.take, chunk, giveUp);
  },
  onResponseEnd() {
    const { status, headers } = progress;
    if (status === null) settle(lost(progress, 'connection_lost', undefined));
    else settle({ kind: 'answered', status, headers, body: readText(progress.chunks) });
  },
  onResponseError(_controller, cause) {
    if (progress.controller === undefined) settle({ kind: 'not_sent', why: whyNotSent(cause), cause });
    else settle(lost(progress, 'connection_lost', progress.body.failure ?? cause));
  },
});

const handOver = (onChunk: (chunk: Buffer) => void, chunk: Buffer, giveUp: GiveUp): void => {
  try {
    onChunk(chunk);
  } catch (cause) {
    const tooLarge = cause instanceof Error && 'code' in cause && cause.code === 'event_too_large';
    giveUp(tooLarge ? 'response_too_large' : 'unreadable_answer', cause);
  }
};

/** An upstream that has not got the end of the request, and has not answered, has not run it. */
const lost = ({ status, body }: Progress, detail: UnknownOutcomeDetail, cause: unknown): WireOutcome => {
  if (body.isWhole || status !== null) return { kind: 'lost', detail, status, cause };
  return { kind: 'not_sent', why: detail === 'aborted' ? 'aborted' : 'body_unfinished', cause };
};

const whyNotSent = (cause: Error): 'refused' | 'unreachable' =>
  'code' in cause && cause.code === 'ECONNREFUSED' ? 'refused' : 'unreachable';

/** Most answers come in one piece, which needs no copy. */
const readText = (chunks: readonly Buffer[]): string => {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8');
};
