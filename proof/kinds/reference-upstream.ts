import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Embeddings, Generation } from '@tollgate/provider';
import type { Random } from '../torture/random.ts';
import { createJournal, type Execution, type Journal } from './journal.ts';
import { createReferenceJobs, tokens, type ReferenceJobs } from './reference-jobs.ts';
import type { CallsInHand } from './calls-in-hand.ts';
import { processHeader, type Family, type ReferenceAnswer, type ReferenceCall } from './reference-wire.ts';

/** The upstream of the killed processes, which outlives them and so knows what ran. */
export interface ReferenceUpstream {
  readonly url: string;
  readonly executions: Journal['executions'];
  /** Jobs of videos, and the bytes of each. */
  jobs(): readonly string[];
  media(job: string): Buffer;
  close(): Promise<void>;
}

interface Upstream {
  readonly inHand: Pick<CallsInHand, 'pass'>;
  readonly journal: Journal;
  readonly jobs: ReferenceJobs;
  readonly random: Random;
}

type Counted = Exclude<ReferenceCall, { readonly kind: 'poll' | 'cancel' | 'free' }>;

const slowMsMax = 1_200;
const quickMsMax = 60;
const pollMsMax = 300;
const busyMs = 300;
/** A part of the answers is too long for a row of the gateway's. */
const longAnswerShare = 0.3;
const longAnswerChars = 4_000;
const mediaChunks = 6;
const mediaChunkMsMax = 80;

/** How many tools a conversation asks for before it answers: one or two. */
const toolsWanted = (key: string): number => 1 + (key.charCodeAt(0) % 2);

const generation = (
  call: Extract<Counted, { readonly kind: 'generate' }>,
  execution: Execution,
  random: Random,
): Generation => {
  const { key, functions, answered } = call;
  const usage = execution.usage ?? [];
  const [name] = functions;
  if (name !== undefined && answered < toolsWanted(key)) {
    const called = { kind: 'function_call', id: `call-${answered}`, name, arguments: '{}' } as const;
    return { text: '', functionCalls: [called], finish: 'stop', usage };
  }
  const more = random.chance(longAnswerShare) ? 'x'.repeat(longAnswerChars) : '';
  return { text: `answer to ${key}${more}`, functionCalls: [], finish: 'stop', usage };
};

const embeddings = (call: Extract<Counted, { readonly kind: 'embed' }>, execution: Execution): Embeddings => ({
  vectors: Array.from({ length: call.texts }, (_, at) =>
    Array.from({ length: call.dimensions }, (__, index) => 1 / (1 + at + index)),
  ),
  usage: execution.usage ?? [],
});

/** What a cache holds, and what its creation is counted as. */
export const cacheTokens = 50;

const measure = (call: Counted, random: Random): Execution['usage'] => {
  switch (call.kind) {
    case 'generate':
      return tokens(random);
    case 'embed':
      return [{ unit: 'embedding_tokens', quantity: 3 * call.texts, confirmed: true }];
    case 'tool':
      return [{ unit: 'web_search_queries', quantity: 1, confirmed: true }];
    case 'cache':
      return [{ unit: 'input_text_tokens', quantity: cacheTokens, confirmed: true }];
    case 'start':
      return null;
  }
};

const valueOf = (call: Counted, execution: Execution, random: Random): unknown => {
  switch (call.kind) {
    case 'generate':
      return generation(call, execution, random);
    case 'embed':
      return embeddings(call, execution);
    case 'tool':
      return { result: `result of ${call.key}`, usage: execution.usage };
    case 'cache':
      return { reference: `cache of ${call.key}`, tokens: cacheTokens, usage: execution.usage ?? [] };
    case 'start':
      return null;
  }
};

const familyOf = (call: Counted): Family => (call.kind === 'start' ? call.family : call.kind);

/** Runs a call as its fate wants it; null where the answer gets lost. */
const carryOut = async (
  { inHand, journal, jobs, random }: Upstream,
  call: Counted,
  pid: number,
): Promise<ReferenceAnswer | null> => {
  const execution = journal.open(call.key, familyOf(call));
  const { fate } = execution;
  if (fate === 'refused' || (fate === 'busy' && execution.refusals === 0)) {
    execution.refusals += 1;
    return fate === 'refused'
      ? { kind: 'not_executed', reason: 'invalid_request' }
      : { kind: 'not_executed', reason: 'rate_limited', retryAfterMs: busyMs };
  }
  execution.count += 1;
  if (call.kind !== 'start') execution.usage = fate === 'unmeasured' ? null : measure(call, random);
  const begun = call.kind === 'start' ? jobs.begin(call, execution) : null;
  await inHand.pass({ family: execution.family, pid });
  await delay(random.below(fate === 'slow' ? slowMsMax : quickMsMax));
  if (fate === 'lost') return null;
  return { kind: 'answered', value: begun ?? valueOf(call, execution, random) };
};

const answerTo = async (upstream: Upstream, call: ReferenceCall, pid: number): Promise<ReferenceAnswer | null> => {
  switch (call.kind) {
    case 'poll':
      await delay(upstream.random.below(pollMsMax));
      return upstream.jobs.poll(call.job);
    case 'cancel':
      return upstream.jobs.cancel(call.job);
    case 'free':
      await delay(upstream.random.below(quickMsMax));
      return { kind: 'answered', value: null };
    case 'generate':
    case 'embed':
    case 'tool':
    case 'cache':
    case 'start':
      return carryOut(upstream, call, pid);
  }
};

/** Slowly, so that some are killed in the middle of a copy. */
const sendMedia = async ({ jobs, random }: Upstream, id: string, response: ServerResponse): Promise<void> => {
  const bytes = jobs.media(id);
  const chunk = Math.ceil(bytes.length / mediaChunks);
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length });
  for (let at = 0; at < bytes.length && !response.destroyed; at += chunk) {
    response.write(bytes.subarray(at, at + chunk));
    await delay(random.below(mediaChunkMsMax));
  }
  response.end();
};

const mediaPath = '/media/';

const serveOne = async (upstream: Upstream, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { url = '' } = request;
  if (url.startsWith(mediaPath)) {
    await sendMedia(upstream, url.slice(mediaPath.length), response);
    return;
  }
  // The providers of the victims write it, from the same types.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const call = JSON.parse(await text(request)) as ReferenceCall;
  const answer = await answerTo(upstream, call, Number(request.headers[processHeader] ?? 0));
  // The caller may have been killed meanwhile.
  if (response.destroyed) return;
  if (answer === null) response.writeHead(504).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
};

/** Starts the reference upstream on loopback. */
export const startKindsReference = async (
  random: Random,
  inHand: Pick<CallsInHand, 'pass'>,
): Promise<ReferenceUpstream> => {
  const journal = createJournal(random);
  const jobs = createReferenceJobs(journal, random);
  const upstream: Upstream = { inHand, journal, jobs, random };
  const server = createServer((request, response) => {
    // A request that was cut short ran nothing, for it never came whole.
    serveOne(upstream, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    executions: journal.executions,
    jobs: () => jobs.videos(),
    media: (job) => jobs.media(job),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
