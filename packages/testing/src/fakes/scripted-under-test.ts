import type { FunctionCallPart, GenerationCall, Part, Provider } from '@tollgate/provider';
import type {
  BatchScenario,
  EmbedScenario,
  ProviderScenario,
  ProviderUnderTest,
  StreamScenario,
  InteractionScenario,
  VideoScenario,
} from '../provider/provider-under-test.ts';
import { scriptedProvider, type ScriptedProvider } from './scripted-provider.ts';
import { scriptedGeneration, type ScriptedStep } from './scripted-step.ts';

const weatherCall = (index: number, city: string): FunctionCallPart => ({
  kind: 'function_call',
  id: `call_${index}`,
  name: 'get_weather',
  arguments: JSON.stringify({ city }),
  context: `state ${index}`,
});

/** What it calls a request whose text it answers. */
const scriptedRequest = 'scripted-request';

const steps: { readonly [S in ProviderScenario]: ScriptedStep } = {
  text: { kind: 'answer', upstreamId: scriptedRequest },
  measured: {
    kind: 'answer',
    generation: {
      usage: [
        { unit: 'input_text_tokens', quantity: 60, confirmed: true },
        { unit: 'cached_input_tokens', quantity: 40, confirmed: true },
        { unit: 'output_text_tokens', quantity: 30, confirmed: true },
        { unit: 'thought_tokens', quantity: 20, confirmed: true },
      ],
    },
  },
  function_call: {
    kind: 'answer',
    generation: { text: '', functionCalls: [weatherCall(1, 'Lisbon'), weatherCall(2, 'Porto')] },
  },
  function_result: { kind: 'answer' },
  json: { kind: 'answer', generation: { text: '{"city":"Lisbon"}' } },
  media: { kind: 'answer' },
  length: { kind: 'answer', generation: { finish: 'length' } },
  content_filter: { kind: 'answer', generation: { text: '', finish: 'content_filter' } },
  missing_usage: { kind: 'answer', generation: { usage: [] } },
  busy_once: { kind: 'answer' },
  invalid_request: { kind: 'not_executed', reason: 'invalid_request' },
  input_limit: { kind: 'not_executed', reason: 'input_limit' },
  rate_limited: { kind: 'not_executed', reason: 'rate_limited', retryAfterMs: 3_000 },
  unavailable: { kind: 'not_executed', reason: 'unavailable', sent: false },
  failed: { kind: 'not_executed', reason: 'failed' },
  unknown: { kind: 'unknown' },
  hang: { kind: 'hang' },
};

const begun: readonly Part[] = [{ kind: 'text', text: 'It is ' }];

const streamSteps: { readonly [S in StreamScenario]: ScriptedStep } = {
  ...steps,
  cut_before_pieces: { kind: 'unknown' },
  cut_between_pieces: { kind: 'unknown', pieces: begun },
  cut_after_usage: {
    kind: 'unknown',
    pieces: begun,
    usageAtLeast: [{ unit: 'input_text_tokens', quantity: 100, confirmed: false }],
  },
  cut_before_end: { kind: 'unknown', pieces: [...begun, { kind: 'text', text: 'mild.' }] },
  error_between_pieces: { kind: 'unknown', pieces: begun },
  hang_between_pieces: { kind: 'hang', pieces: begun },
};

const embedSteps: { readonly [S in EmbedScenario]: ScriptedStep } = {
  ...steps,
  vectors: { kind: 'answer' },
  missing_usage: { kind: 'answer', embeddings: { usage: [] } },
};

const running: ScriptedStep = { kind: 'answer', jobProgress: { kind: 'running', afterMs: 10 } };

/** How the job of each scenario is answered for; left out, it is done at once. */
const pollSteps: { readonly [S in VideoScenario]?: readonly ScriptedStep[] } = {
  running: [running, running],
  missing_usage: [{ kind: 'answer', videos: { usage: [] } }],
  job_failed: [{ kind: 'not_executed', reason: 'failed' }],
  poll_lost: [{ kind: 'unknown' }],
};

const startSteps: { readonly [S in VideoScenario]: ScriptedStep } = {
  ...steps,
  done: { kind: 'answer' },
  running: { kind: 'answer' },
  missing_usage: { kind: 'answer' },
  job_failed: { kind: 'answer' },
  poll_lost: { kind: 'answer' },
};

const batchSteps: { readonly [S in BatchScenario]: ScriptedStep } = {
  ...steps,
  done: { kind: 'answer' },
  running: { kind: 'answer' },
  item_failed: { kind: 'answer' },
};

const batchPollSteps: { readonly [S in BatchScenario]?: readonly ScriptedStep[] } = {
  running: [running, running],
  item_failed: [
    {
      kind: 'answer',
      batchItems: [
        { key: 'second', kind: 'failed', reason: 'failed' },
        { key: 'first', kind: 'generation', generation: scriptedGeneration },
      ],
    },
  ],
};

const interactionPollSteps: { readonly [S in InteractionScenario]?: readonly ScriptedStep[] } = {
  running: [running, running],
  requires_action: [
    {
      kind: 'answer',
      interacted: {
        steps: [{ kind: 'function_call', id: 'call_1', name: 'get_weather', arguments: '{}' }],
        status: 'requires_action',
      },
    },
  ],
  missing_usage: [{ kind: 'answer', interacted: { usage: [] } }],
  job_failed: [{ kind: 'not_executed', reason: 'failed' }],
  poll_lost: [{ kind: 'unknown' }],
};

const interactionSteps: { readonly [S in InteractionScenario]: ScriptedStep } = {
  ...startSteps,
  requires_action: { kind: 'answer' },
};

const contextsOf = (call: GenerationCall | undefined): readonly (string | undefined)[] =>
  (call?.contents ?? []).flatMap(({ parts }) =>
    parts.filter((part) => part.kind === 'function_call').map(({ context }) => context),
  );

/** Arranges what the scripted provider keeps itself. */
const arrangeKept = (
  scripted: ScriptedProvider,
): Required<Pick<ProviderUnderTest, 'arrangeBatch' | 'arrangeCache'>> => ({
  arrangeBatch: (scenario, call) => {
    scripted.scriptBatches(batchSteps[scenario]);
    scripted.scriptPolls(...(batchPollSteps[scenario] ?? []));
    return call;
  },
  arrangeCache: (scenario, call) => {
    scripted.scriptCaches(scenario === 'done' ? { kind: 'answer' } : steps[scenario]);
    return call;
  },
});

/** A scripted provider with every method, under test itself or behind what `direct` makes of it. */
export const scriptedUnderTest = (direct?: (scripted: Provider) => Provider): ProviderUnderTest => {
  // A provider behind another one shows none of its resources: the gateway keeps caches and runs batches itself then.
  const keeps = direct === undefined;
  const scripted = scriptedProvider({
    countSteps: [],
    fileSteps: [],
    interactionSteps: [],
    takesInteraction: () => true,
    ...(keeps ? { batchSteps: [], cacheSteps: [] } : {}),
  });
  return {
    provider: direct === undefined ? scripted : direct(scripted),
    arrange: (scenario, call) => {
      scripted.script(steps[scenario]);
      return call;
    },
    arrangeStream: (scenario, call) => {
      scripted.script(streamSteps[scenario]);
      return call;
    },
    arrangeEmbed: (scenario, call) => {
      scripted.script(embedSteps[scenario]);
      return call;
    },
    arrangeCount: (scenario, call) => {
      scripted.scriptCounts(scenario === 'counted' ? { kind: 'answer' } : steps[scenario]);
      return call;
    },
    arrangeVideo: (scenario, call) => {
      scripted.scriptVideos(startSteps[scenario]);
      scripted.scriptPolls(...(pollSteps[scenario] ?? []));
      return call;
    },
    ...(keeps ? arrangeKept(scripted) : {}),
    arrangeInteraction: (scenario, call) => {
      scripted.scriptInteractions(interactionSteps[scenario]);
      scripted.scriptPolls(...(interactionPollSteps[scenario] ?? []));
      return call;
    },
    arrangeFile: (scenario) => scripted.scriptFiles(scenario === 'unavailable' ? steps[scenario] : { kind: 'answer' }),
    upstreamId: () => scriptedRequest,
    measures: 'as_it_goes',
    upstreamRequests: scripted.upstreamRequests,
    received: scripted.received,
    stateCameBack: () => contextsOf(scripted.calls.at(-1)?.call).join() === 'state 1,state 2',
    secrets: ['sk-secret', 'the backend fell over'],
    close: scripted.close,
  };
};
