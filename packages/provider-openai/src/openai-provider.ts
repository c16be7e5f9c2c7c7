import { NotExecuted, type CallContext, type Generation, type GenerationCall, type Provider } from '@tollgate/provider';
import type { Dispatcher } from 'undici';
import { fromErrorInAnswer } from './from-openai-error.ts';
import { fromOpenai } from './from-openai.ts';
import { parseJson } from './json-value.ts';
import { cannotSend, toOpenai } from './to-openai.ts';
import { createUpstream, type OpenaiProviderOptions, type Upstream } from './upstream.ts';
import { readOutcome, retryWaitMs, wireCall } from './wire-call.ts';

const connectionsDefault = 1_024;
const connectMsMax = 10_000;

/**
 * A provider for any upstream that speaks chat completions. Makes no wire call that is not recorded, and repeats only what
 * certainly did not run. Upstream texts stay in `cause`, for the log.
 */
export const openaiProvider = (options: OpenaiProviderOptions): Provider => {
  const { origin } = new URL(options.baseUrl);
  let opening: Promise<Upstream> | undefined;
  let closing: Promise<void> | undefined;
  const open = async (): Promise<Upstream> =>
    createUpstream(options, options.dispatcher ?? (await createPool(origin, options)));
  const close = async (): Promise<void> => {
    const upstream = await (opening ??= open());
    if (options.dispatcher === undefined) await upstream.dispatcher.close();
  };
  return {
    name: options.name ?? 'openai',
    generate: async (call, context) => generate(await (opening ??= open()), call, context),
    close: () => (closing ??= close()),
  };
};

/** The client is loaded with the first call, for it takes longer to load than a gateway without an upstream to start. */
const createPool = async (origin: string, options: OpenaiProviderOptions): Promise<Dispatcher> => {
  const { Pool } = await import('undici');
  return new Pool(origin, {
    connections: options.connections ?? connectionsDefault,
    // One call per connection: a slow generation must not hold up another, nor be lost with it.
    pipelining: 1,
    // The whole call has a limit of its own, and a model may think for minutes before its first byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectMsMax },
  });
};

const generate = async (upstream: Upstream, call: GenerationCall, context: CallContext): Promise<Generation> => {
  const obstacle = cannotSend(call);
  if (obstacle !== undefined) throw new NotExecuted({ reason: 'invalid_request', cause: obstacle });
  const { timeoutMs } = upstream.limits;
  const body = Buffer.from(JSON.stringify(toOpenai(call, upstream.wire)));
  const answer = await send(upstream, { body, context, timeoutMs, deadlineMs: upstream.now() + timeoutMs, attempt: 1 });
  return readAnswer(upstream, call, parseJson(answer));
};

interface Sending {
  readonly body: Buffer;
  readonly context: CallContext;
  /** What is left of the whole call. */
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly attempt: number;
}

/** Answers the text of a 2xx answer. Every wire call after the first is one level deeper, `attemptsMax` in all. */
const send = async (upstream: Upstream, sending: Sending): Promise<string> => {
  const { context, deadlineMs, attempt } = sending;
  const outcome = await wireCall(upstream, sending);
  const failure = readOutcome(upstream, outcome);
  if (typeof failure === 'string') return failure;
  const waitMs = retryWaitMs(upstream, { outcome, failure, attempt });
  if (waitMs === undefined || upstream.now() + waitMs >= deadlineMs) throw failure;
  // A wait that is given up leaves the failure as it is: certain.
  const waited = await upstream.sleep(waitMs, context.signal).then(
    () => true,
    () => false,
  );
  if (!waited) throw failure;
  const timeoutMs = Math.max(1, deadlineMs - upstream.now());
  return send(upstream, { ...sending, timeoutMs, attempt: attempt + 1 });
};

const readAnswer = (upstream: Upstream, call: GenerationCall, body: unknown): Generation => {
  const error = fromErrorInAnswer(body);
  if (error !== undefined) throw error;
  const { missingUsage, newCallId } = upstream;
  if (missingUsage === 'uncertain') return fromOpenai(body, { newCallId });
  return fromOpenai(body, { newCallId, estimateUsage: (generation) => missingUsage(call, generation) });
};
