import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { readNoting, type BodyProgress, type UnknownOutcomeDetail, type WireBody } from '@tollgate/provider';
import type { WireRequest } from './upstream.ts';

export type WireHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** How one wire call ended. */
export type WireOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: WireHeaders; readonly body: string }
  /** A body of events came and ended; whoever took the events knows what they come to. */
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
      readonly detail: UnknownOutcomeDetail;
      readonly status: number | null;
      readonly cause: unknown;
    };

export interface PostOptions {
  readonly dispatcher: Dispatcher;
  readonly request: WireRequest;
  readonly body: WireBody;
  readonly signal: AbortSignal;
  readonly limits: { readonly timeoutMs: number; readonly responseBytesMax: number };
  /** Takes the bytes of a 2xx answer that is a stream of events, as they come; answers `enough` when it waits for no more. */
  readonly takeEvents?: (chunk: Uint8Array) => 'more' | 'enough';
}

/** How long the end of a body is waited for that has said all it has to say. */
const endMsMax = 1_000;

interface Progress {
  settled: boolean;
  controller: Dispatcher.DispatchController | undefined;
  status: number | null;
  headers: WireHeaders;
  readonly chunks: Buffer[];
  bytes: number;
  streams: boolean;
  enough: boolean;
  readonly body: BodyProgress;
}

/**
 * Makes one wire call, never a second one, and follows no redirect. Never rejects. Uses `dispatch` because it tells when the
 * first byte is about to be written, which parts "nothing ran" from "may have run", and because it costs the least.
 */
export const postJson = (options: PostOptions): Promise<WireOutcome> =>
  new Promise((resolve) => {
    const { signal, limits } = options;
    const progress: Progress = {
      settled: false,
      controller: undefined,
      status: null,
      headers: {},
      chunks: [],
      bytes: 0,
      streams: false,
      enough: false,
      body: { isWhole: options.body.kind !== 'pieces', failure: undefined },
    };
    const settle = (outcome: WireOutcome): void => {
      if (progress.settled) return;
      progress.settled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const giveUp = (detail: 'aborted' | 'timed_out' | 'response_too_large', cause: unknown): void => {
      const { controller } = progress;
      if (controller !== undefined) settle(lost(progress, detail, cause));
      // A response can only be too large once it has begun.
      else settle({ kind: 'not_sent', why: detail === 'aborted' ? 'aborted' : 'timed_out', cause });
      controller?.abort(new Error(detail));
    };
    const onAbort = (): void => giveUp('aborted', signal.reason);
    let timer = setTimeout(() => giveUp('timed_out', undefined), limits.timeoutMs);
    const takeEvents = (chunk: Uint8Array): void => {
      if (progress.enough || options.takeEvents?.(chunk) !== 'enough') return;
      progress.enough = true;
      clearTimeout(timer);
      timer = setTimeout(() => giveUp('timed_out', undefined), endMsMax);
    };
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else
      options.dispatcher.dispatch(
        toDispatch(options, progress),
        wireHandler({ progress, settle, giveUp, takeEvents, options }),
      );
  });

/** What is read ahead of a body while the connection is busy. */
const bodyBufferBytes = 65_536;

const toDispatch = ({ request, body }: PostOptions, progress: Progress): Dispatcher.DispatchOptions => {
  if (body.kind === 'bytes') return { ...request, body: body.bytes };
  return {
    ...request,
    headers: { ...request.headers, 'content-length': String(body.byteLength) },
    body: Readable.from(readNoting(body.read, progress.body), { objectMode: false, highWaterMark: bodyBufferBytes }),
  };
};

/** An upstream that has not got the end of the request, and has not answered, has not run it. */
const lost = ({ status, body }: Progress, detail: UnknownOutcomeDetail, cause: unknown): WireOutcome => {
  if (body.isWhole || status !== null) return { kind: 'lost', detail, status, cause };
  if (detail === 'aborted') return { kind: 'not_sent', why: 'aborted', cause };
  return { kind: 'not_sent', why: body.failure === undefined ? 'body_unfinished' : 'body_unreadable', cause };
};

interface HandlerOptions {
  readonly progress: Progress;
  readonly settle: (outcome: WireOutcome) => void;
  readonly giveUp: (detail: 'response_too_large', cause: unknown) => void;
  readonly takeEvents: (chunk: Uint8Array) => void;
  readonly options: PostOptions;
}

const wireHandler = ({
  progress,
  settle,
  giveUp,
  takeEvents,
  options,
}: HandlerOptions): Dispatcher.DispatchHandler => ({
  onRequestStart(controller) {
    // It waited for a connection until nobody waits for it, or would be written a second time: it must not go out.
    if (progress.settled || progress.controller !== undefined) controller.abort(new Error('not wanted'));
    else progress.controller = controller;
  },
  onResponseStart(_controller, status, headers) {
    if (status < 200) return;
    progress.status = status;
    progress.headers = headers;
    progress.streams = options.takeEvents !== undefined && status < 300 && isEventStream(headers);
  },
  onResponseData(_controller, chunk) {
    // A call that was given up hands nothing over any more.
    if (progress.settled) return;
    progress.bytes += chunk.length;
    if (progress.bytes > options.limits.responseBytesMax) giveUp('response_too_large', undefined);
    else if (progress.streams) takeEvents(chunk);
    else progress.chunks.push(chunk);
  },
  onResponseEnd() {
    const { status, headers } = progress;
    if (status === null) settle(lost(progress, 'connection_lost', undefined));
    else if (progress.streams) settle({ kind: 'streamed', status, headers });
    else settle({ kind: 'answered', status, headers, body: readText(progress.chunks) });
  },
  onResponseError(_controller, cause) {
    if (progress.controller === undefined) settle({ kind: 'not_sent', why: whyNotSent(cause), cause });
    else settle(lost(progress, 'connection_lost', progress.body.failure ?? cause));
  },
});

const isEventStream = (headers: WireHeaders): boolean => {
  const type = headers['content-type'];
  return typeof type === 'string' && type.toLowerCase().startsWith('text/event-stream');
};

const whyNotSent = (cause: Error): 'refused' | 'unreachable' =>
  'code' in cause && cause.code === 'ECONNREFUSED' ? 'refused' : 'unreachable';

/** Most answers come in one piece, which needs no copy. */
const readText = (chunks: readonly Buffer[]): string => {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8');
};
