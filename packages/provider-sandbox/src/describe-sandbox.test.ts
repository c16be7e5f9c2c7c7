import {
  describeProvider,
  longCity,
  type BatchScenario,
  type EmbedScenario,
  type FileScenario,
  type ProviderScenario,
  type ProviderUnderTest,
  type StreamScenario,
  type InteractionScenario,
  type VideoScenario,
} from '@tollgate/testing/provider';
import type {
  CallContext,
  Content,
  EmbeddingCall,
  GenerationCall,
  InteractionCall,
  ProjectFile,
  ProviderJobs,
} from '@tollgate/provider';
import { describe, test } from 'vitest';
import { sandboxProvider } from './sandbox-provider.ts';

/** How each scenario is asked for. */
const prompts: { readonly [S in ProviderScenario]: string } = {
  text: '',
  measured: '[[sandbox: tokens in=60 cached=40 out=30 thoughts=20]]',
  function_call: '[[sandbox: tool get_weather {"city":"Lisbon"}]] [[sandbox: tool get_weather {"city":"Porto"}]]',
  function_result: '',
  cache_written: '[[sandbox: tokens in=60 cache_write_input_tokens=40 out=20]]',
  partial_usage: '[[sandbox: unknown-usage]]',
  long_arguments: `[[sandbox: tool get_weather {"city":"${longCity}"}]]`,
  cut_call: '[[sandbox: length]]',
  unknown_end: '[[sandbox: length]]',
  json: '',
  media: '',
  length: '[[sandbox: length]]',
  content_filter: '[[sandbox: filter]]',
  missing_usage: '[[sandbox: unknown-usage]]',
  busy_once: '',
  busy_a_second: '[[sandbox: rate-limited 1]]',
  bad_gateway: '[[sandbox: unknown]]',
  gateway_timeout: '[[sandbox: unknown]]',
  invalid_request: '[[sandbox: invalid]]',
  input_limit: '[[sandbox: input-limit]]',
  rate_limited: '[[sandbox: rate-limited 3]]',
  unavailable: '[[sandbox: unavailable]]',
  failed: '[[sandbox: fail]]',
  unknown: '[[sandbox: unknown]]',
  hang: '[[sandbox: hang]]',
};

const streamPrompts: { readonly [S in StreamScenario]: string } = {
  ...prompts,
  cut_before_pieces: '[[sandbox: cut 0]]',
  cut_between_pieces: '[[sandbox: cut 1]]',
  cut_after_usage: '[[sandbox: tokens in=100]] [[sandbox: cut 1]]',
  cut_before_end: '[[sandbox: cut 1000]]',
  ended_without_end: '[[sandbox: cut 1000]]',
  error_before_pieces: '[[sandbox: cut 0]]',
  growing_usage: '[[sandbox: tokens in=100 out=50]]',
  error_between_pieces: '[[sandbox: cut 1]]',
  hang_between_pieces: '[[sandbox: stream 3 60000]]',
};

const embedPrompts: { readonly [S in EmbedScenario]: string } = { ...prompts, vectors: '' };

const videoPrompts: { readonly [S in VideoScenario]: string } = {
  ...prompts,
  done: '',
  running: '[[sandbox: polls 2]]',
  job_failed: '[[sandbox: filter]]',
  poll_lost: '',
  poll_refused: '',
};

const batchNames: { readonly [S in BatchScenario]: string } = {
  ...prompts,
  done: '',
  running: '[[sandbox: polls 2]]',
  item_failed: '',
  poll_lost: '',
  poll_refused: '',
};

const interactionPrompts: { readonly [S in InteractionScenario]: string } = {
  ...videoPrompts,
  requires_action: '[[sandbox: tool get_weather {}]]',
};

const withInput = (call: InteractionCall, text: string): InteractionCall => ({
  ...call,
  upstreamModel: 'antigravity-under-test',
  input: [...call.input, { kind: 'user_input', content: [{ kind: 'text', text: `And? ${text}` }] }],
});

/** Loses the first question of a job on its way, as a wire does; the sandbox itself has none. */
const losing = <C, R>({ start, poll }: ProviderJobs<C, R>, loses: () => boolean): ProviderJobs<C, R> => ({
  start,
  poll: (job, context) => {
    if (!loses()) return poll(job, context);
    context.recordAttempt({ startedAtMs: 0, durationMs: 0, status: null, outcome: 'unknown' });
    return Promise.reject(new Error('the connection was lost'));
  },
});

const withPrompt = (call: GenerationCall, prompt: string): GenerationCall => {
  if (prompt === '') return call;
  const turn: Content = { role: 'user', parts: [{ kind: 'text', text: prompt }] };
  return { ...call, contents: [...call.contents, turn] };
};

const withText = (call: EmbeddingCall, prompt: string): EmbeddingCall => {
  if (prompt === '' || call.input.kind !== 'texts') return call;
  const [first = '', ...texts] = call.input.texts;
  return { ...call, input: { kind: 'texts', texts: [`${first} ${prompt}`, ...texts] } };
};

const inScenario = (file: ProjectFile, scenario: FileScenario): ProjectFile =>
  scenario === 'unavailable' ? { ...file, displayName: `${file.displayName} [[sandbox: unavailable]]` } : file;

/** With the bytes of its blobs. */
const callAsText = async (call: GenerationCall | undefined): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for (const { parts } of call?.contents ?? [])
    for (const part of parts) if (part.kind === 'blob') for await (const chunk of part.read()) chunks.push(chunk);
  return JSON.stringify({ call, blobs: Buffer.concat(chunks).toString('base64') });
};

type Taken<Call, Answer> = (call: Call, context: CallContext) => Promise<Answer>;

/** Counts as upstream requests the calls that the sandbox takes on. */
const sandboxUnderTest = (): ProviderUnderTest => {
  let requests = 0;
  const sandbox = sandboxProvider({ batches: true, caches: {}, newRequestId: () => `req_${(requests += 1)}` });
  const { batches, caches } = sandbox;
  if (batches === undefined || caches === undefined) throw new Error('it was told to');
  const { files } = sandbox;
  let losesPoll = false;
  const losesOnce = (): boolean => {
    const loses = losesPoll;
    losesPoll = false;
    return loses;
  };
  const videos = losing(sandbox.videos, losesOnce);
  const interactions = losing(sandbox.interactions, losesOnce);
  let upstreamRequests = 0;
  let sent: GenerationCall | undefined;
  let waiting = Promise.withResolvers<void>();
  let fileScenario: FileScenario = 'done';
  const take = (context: CallContext): void => {
    if (context.signal.aborted) return;
    upstreamRequests += 1;
    waiting.resolve();
    waiting = Promise.withResolvers<void>();
  };
  const taking =
    <Call, Answer>(method: Taken<Call, Answer>): Taken<Call, Answer> =>
    (call, context) => {
      const answer = method(call, context);
      take(context);
      return answer;
    };
  return {
    provider: {
      ...sandbox,
      generate: taking((call, context) => sandbox.generate((sent = call), context)),
      generateStream: (call, context, onParts) =>
        taking((each: GenerationCall, within) => sandbox.generateStream((sent = each), within, onParts))(call, context),
      embed: taking((call, context) => sandbox.embed(call, context)),
      countTokens: taking((call, context) => sandbox.countTokens(call, context)),
      videos: { start: taking(videos.start), poll: taking(videos.poll) },
      interactions: { start: taking(interactions.start), poll: taking(interactions.poll) },
      batches: { ...batches, start: taking(batches.start), poll: taking(losing(batches, losesOnce).poll) },
      caches: {
        create: taking(caches.create),
        extend: (reference, ttlSeconds, context) =>
          taking((each: string, within) => caches.extend(each, ttlSeconds, within))(reference, context),
        remove: taking(caches.remove),
      },
      files: {
        upload: taking((file, context) => files.upload(inScenario(file, fileScenario), context)),
        state: taking(files.state),
        remove: taking((file, context) => files.remove?.(file, context) ?? Promise.reject(new Error('cannot remove'))),
      },
    },
    arrange: (scenario, call) => withPrompt(call, prompts[scenario]),
    arrangeStream: (scenario, call) => withPrompt(call, streamPrompts[scenario]),
    arrangeEmbed: (scenario, call) => withText(call, embedPrompts[scenario]),
    arrangeCount: (scenario, call) => withPrompt(call, scenario === 'counted' ? '' : prompts[scenario]),
    arrangeVideo: (scenario, call) => {
      losesPoll = scenario === 'poll_lost' || scenario === 'poll_refused';
      return { ...call, prompt: `${call.prompt ?? ''} ${videoPrompts[scenario]}` };
    },
    arrangeBatch: (scenario, call) => {
      losesPoll = scenario === 'poll_lost' || scenario === 'poll_refused';
      return {
        ...call,
        displayName: batchNames[scenario],
        items: call.items.map((item) =>
          scenario === 'item_failed' && item.key === 'second' && item.kind === 'generation'
            ? { ...item, call: withPrompt(item.call, '[[sandbox: fail]]') }
            : item,
        ),
      };
    },
    arrangeCache: (scenario, call) => ({ ...call, displayName: scenario === 'done' ? 'Manual' : prompts[scenario] }),
    arrangeInteraction: (scenario, call) => {
      losesPoll = scenario === 'poll_lost' || scenario === 'poll_refused';
      return withInput(call, interactionPrompts[scenario]);
    },
    arrangeFile: (scenario) => {
      fileScenario = scenario;
    },
    upstreamId: () => `req_${requests}`,
    measures: 'as_it_goes',
    // The sandbox is its own upstream: what it is sent is the call.
    sentBody: () => callAsText(sent),
    impatient: null,
    upstreamRequests: () => upstreamRequests,
    received: (count) => (upstreamRequests >= count ? Promise.resolve() : waiting.promise),
    stateCameBack: ({ text }) => text.includes('context: ok.'),
    secrets: ['not a directive'],
    close: () => sandbox.close(),
  };
};

describeProvider({ describe, test }, 'the sandbox provider', () => Promise.resolve(sandboxUnderTest()));
