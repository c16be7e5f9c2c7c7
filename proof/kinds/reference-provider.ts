import { createHash } from 'node:crypto';
import {
  NotExecuted,
  type Attempt,
  type CallContext,
  type CreatedCache,
  type EmbeddingCall,
  type Embeddings,
  type Generation,
  type GenerationCall,
  type JobProgress,
  type Provider,
  type ProviderJobs,
  type ProviderStores,
  type Usage,
} from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import type { GatewayOptions } from 'tollgate';
import {
  processHeader,
  type JobFamily,
  type RecordedVideo,
  type ReferenceAnswer,
  type ReferenceCall,
} from './reference-wire.ts';

type Ask = (call: ReferenceCall, context: CallContext) => Promise<unknown>;

const outcomeOf = (answer: ReferenceAnswer | null): Attempt['outcome'] => {
  if (answer === null) return 'unknown';
  return answer.kind === 'answered' ? 'answered' : 'refused';
};

/** One call over a socket of its own accord: what is no whole answer is unknown. */
const askReference =
  (url: string): Ask =>
  async (call, { signal, recordAttempt }) => {
    const startedAtMs = Date.now();
    let answer: ReferenceAnswer | null = null;
    let status: number | null = null;
    try {
      const headers = { [processHeader]: String(process.pid) };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(call), signal });
      ({ status } = response);
      // The reference upstream writes it, from the same types.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      if (response.ok) answer = (await response.json()) as ReferenceAnswer;
    } finally {
      recordAttempt({ startedAtMs, durationMs: Date.now() - startedAtMs, status, outcome: outcomeOf(answer) });
    }
    if (answer === null) throw new Error(`the reference upstream answered ${status}`);
    if (answer.kind === 'answered') return answer.value;
    const { reason, retryAfterMs } = answer;
    throw new NotExecuted({ reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  };

/** What the reference upstream answers to a call is of the type that the call asks for. */
const typed = async <T>(answer: Promise<unknown>): Promise<T> =>
  // Sound: the reference upstream makes each answer from the type that is named where it is asked.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  (await answer) as T;

const answeredCalls = ({ contents }: GenerationCall): number =>
  contents.reduce((sum, { parts }) => sum + parts.filter(({ kind }) => kind === 'function_response').length, 0);

const generate =
  (ask: Ask): NonNullable<Provider['generate']> =>
  (call, context) => {
    const functions = call.tools.flatMap((tool) => (tool.kind === 'function' ? [tool.name] : []));
    const key = call.operationId;
    return typed<Generation>(ask({ kind: 'generate', key, functions, answered: answeredCalls(call) }, context));
  };

const textsOf = ({ input }: EmbeddingCall): readonly string[] => (input.kind === 'texts' ? input.texts : ['content']);

/** One document is embedded by several calls: they are distinguished by their texts. */
const embedKey = (call: EmbeddingCall): string => {
  const hash = createHash('sha256').update(textsOf(call).join('\n')).digest('hex').slice(0, 16);
  return `${call.operationId}#${hash}`;
};

const embed =
  (ask: Ask): NonNullable<Provider['embed']> =>
  (call, context) => {
    const { dimensions = 128 } = call;
    const asked = { kind: 'embed', key: embedKey(call), texts: textsOf(call).length, dimensions } as const;
    return typed<Embeddings>(ask(asked, context));
  };

interface Started {
  readonly operationId: string;
}

const jobsOf = <C extends Started, R>(
  ask: Ask,
  family: JobFamily,
  itemsOf: (call: C) => readonly { readonly key: string; readonly id: string }[] = () => [],
): ProviderJobs<C, R> => ({
  start: (call, context) => typed(ask({ kind: 'start', family, key: call.operationId, items: itemsOf(call) }, context)),
  poll: (job, context) => typed<JobProgress<R>>(ask({ kind: 'poll', job }, context)),
  cancel: async (job, context) => void (await ask({ kind: 'cancel', job }, context)),
});

async function* readMedia(url: string): AsyncGenerator<Uint8Array> {
  const { body } = await fetch(url);
  if (body === null) throw new Error('no bytes');
  yield* body;
}

interface TellingVideos {
  readonly videos: readonly RecordedVideo[];
  readonly usage: readonly Usage[];
}

/** Bytes travel beside the answer. */
const videosOf = (ask: Ask, url: string): NonNullable<Provider['videos']> => {
  const told = jobsOf<Started, TellingVideos>(ask, 'video');
  return {
    ...told,
    poll: async (job, context) => {
      const progress = await told.poll(job, context);
      if (progress.kind === 'running') return progress;
      const { videos, usage } = progress.result;
      return {
        kind: 'done',
        result: {
          videos: videos.map(({ media, reference }) => ({
            mimeType: 'video/mp4',
            read: () => readMedia(`${url}/media/${media}`),
            reference,
          })),
          usage,
        },
      };
    },
  };
};

const free = async (ask: Ask, context: CallContext): Promise<void> => {
  await ask({ kind: 'free' }, context);
};

const cachesOf = (ask: Ask): NonNullable<Provider['caches']> => ({
  create: (call, context) => typed<CreatedCache>(ask({ kind: 'cache', key: call.operationId }, context)),
  extend: (_reference, _ttlSeconds, context) => free(ask, context),
  remove: (_reference, context) => free(ask, context),
});

const storesOf = (ask: Ask): ProviderStores => ({
  create: async ({ id }, context) => {
    await free(ask, context);
    return { reference: `store of ${id}` };
  },
  imports: jobsOf(ask, 'import'),
  removeDocument: (_reference, context) => free(ask, context),
  remove: (_reference, context) => free(ask, context),
});

/** What the provider counts in any input. */
const counted: readonly Usage[] = [{ unit: 'input_text_tokens', quantity: 50, confirmed: true }];

/** Two providers before one reference upstream: one that answers calls only, and one that also has everything as jobs. */
export const referenceProviders = (url: string): { readonly calls: Provider; readonly jobs: Provider } => {
  const ask = askReference(url);
  const both = { generate: generate(ask), embed: embed(ask), countTokens: () => Promise.resolve(counted) };
  return {
    calls: { name: 'calls', ...both },
    jobs: {
      name: 'jobs',
      ...both,
      videos: videosOf(ask, url),
      batches: jobsOf(ask, 'batch', ({ items }) => items.map(({ key, call }) => ({ key, id: call.operationId }))),
      caches: cachesOf(ask),
      stores: storesOf(ask),
      interactions: jobsOf(ask, 'interaction'),
    },
  };
};

interface ToolAnswer {
  readonly result: string;
  readonly usage: readonly Usage[];
}

/** A tool that may not be run again: the reference upstream counts its calls as well. */
export const referenceTools = (url: string): NonNullable<GatewayOptions['tools']> => {
  const ask = askReference(url);
  return {
    web_search: {
      tool: 'web_search',
      isRepeatable: false,
      callUsageMax: [{ unit: 'web_search_queries', quantity: 1 }],
      declare: () => Promise.resolve([{ name: 'web_search', parameters: { type: 'object', properties: {} } }]),
      run: (_setting, { id }, { operationId, signal }) =>
        typed<ToolAnswer>(
          ask(
            { kind: 'tool', key: `${operationId}/${id}` },
            { caller: sampleCaller, signal, recordAttempt: () => undefined },
          ),
        ),
    },
  };
};
