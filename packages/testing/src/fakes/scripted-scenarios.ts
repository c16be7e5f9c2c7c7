import type { FunctionCallPart, Part } from '@tollgate/provider';
import {
  longCity,
  type BatchScenario,
  type EmbedScenario,
  type InteractionScenario,
  type ProviderScenario,
  type StreamScenario,
  type VideoScenario,
} from '../provider/provider-under-test.ts';
import { scriptedGeneration, type ScriptedStep } from './scripted-step.ts';

const weatherCall = (index: number, city: string): FunctionCallPart => ({
  kind: 'function_call',
  id: `call_${index}`,
  name: 'get_weather',
  arguments: JSON.stringify({ city }),
  context: `state ${index}`,
});

/** What it calls a request whose text it answers. */
export const scriptedRequest = 'scripted-request';

export const steps: { readonly [S in ProviderScenario]: ScriptedStep } = {
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
  cache_written: {
    kind: 'answer',
    generation: {
      usage: [
        { unit: 'input_text_tokens', quantity: 60, confirmed: true },
        { unit: 'cache_write_input_tokens', quantity: 40, confirmed: true },
        { unit: 'output_text_tokens', quantity: 20, confirmed: true },
      ],
    },
  },
  partial_usage: {
    kind: 'answer',
    generation: { usage: [{ unit: 'input_text_tokens', quantity: 100, confirmed: false }] },
  },
  long_arguments: { kind: 'answer', generation: { text: '', functionCalls: [weatherCall(1, longCity)] } },
  cut_call: {
    kind: 'answer',
    generation: { text: '', functionCalls: [{ ...weatherCall(1, ''), arguments: '{"ci' }], finish: 'length' },
  },
  unknown_end: { kind: 'answer', generation: { finish: 'length' } },
  json: { kind: 'answer', generation: { text: '{"city":"Lisbon"}' } },
  media: { kind: 'answer' },
  length: { kind: 'answer', generation: { finish: 'length' } },
  content_filter: { kind: 'answer', generation: { text: '', finish: 'content_filter' } },
  missing_usage: { kind: 'answer', generation: { usage: [] } },
  busy_once: { kind: 'answer' },
  invalid_request: { kind: 'not_executed', reason: 'invalid_request' },
  input_limit: { kind: 'not_executed', reason: 'input_limit' },
  busy_a_second: { kind: 'not_executed', reason: 'rate_limited', retryAfterMs: 1_000 },
  bad_gateway: { kind: 'unknown' },
  gateway_timeout: { kind: 'unknown' },
  rate_limited: { kind: 'not_executed', reason: 'rate_limited', retryAfterMs: 3_000 },
  unavailable: { kind: 'not_executed', reason: 'unavailable', sent: false },
  failed: { kind: 'not_executed', reason: 'failed' },
  unknown: { kind: 'unknown' },
  hang: { kind: 'hang' },
};

const begun: readonly Part[] = [{ kind: 'text', text: 'It is ' }];

export const streamSteps: { readonly [S in StreamScenario]: ScriptedStep } = {
  ...steps,
  cut_before_pieces: { kind: 'unknown' },
  cut_between_pieces: { kind: 'unknown', pieces: begun },
  cut_after_usage: {
    kind: 'unknown',
    pieces: begun,
    usageAtLeast: [{ unit: 'input_text_tokens', quantity: 100, confirmed: false }],
  },
  cut_before_end: { kind: 'unknown', pieces: [...begun, { kind: 'text', text: 'mild.' }] },
  ended_without_end: { kind: 'unknown', pieces: [...begun, { kind: 'text', text: 'mild.' }] },
  error_before_pieces: { kind: 'unknown' },
  growing_usage: {
    kind: 'answer',
    generation: {
      usage: [
        { unit: 'input_text_tokens', quantity: 100, confirmed: true },
        { unit: 'output_text_tokens', quantity: 50, confirmed: true },
      ],
    },
  },
  error_between_pieces: { kind: 'unknown', pieces: begun },
  hang_between_pieces: { kind: 'hang', pieces: begun },
};

export const embedSteps: { readonly [S in EmbedScenario]: ScriptedStep } = {
  ...steps,
  vectors: { kind: 'answer' },
  missing_usage: { kind: 'answer', embeddings: { usage: [] } },
};

const running: ScriptedStep = { kind: 'answer', jobProgress: { kind: 'running', afterMs: 10 } };

/** How the job of each scenario is answered for; left out, it is done at once. */
export const pollSteps: { readonly [S in VideoScenario]?: readonly ScriptedStep[] } = {
  running: [running, running],
  missing_usage: [{ kind: 'answer', videos: { usage: [] } }],
  job_failed: [{ kind: 'not_executed', reason: 'failed' }],
  poll_lost: [{ kind: 'unknown' }],
  poll_refused: [{ kind: 'not_executed', reason: 'unavailable', lasting: true }],
};

export const startSteps: { readonly [S in VideoScenario]: ScriptedStep } = {
  ...steps,
  done: { kind: 'answer' },
  running: { kind: 'answer' },
  missing_usage: { kind: 'answer' },
  job_failed: { kind: 'answer' },
  poll_lost: { kind: 'answer' },
  poll_refused: { kind: 'answer' },
};

export const batchSteps: { readonly [S in BatchScenario]: ScriptedStep } = {
  ...steps,
  done: { kind: 'answer' },
  running: { kind: 'answer' },
  item_failed: { kind: 'answer' },
  poll_lost: { kind: 'answer' },
  poll_refused: { kind: 'answer' },
};

export const batchPollSteps: { readonly [S in BatchScenario]?: readonly ScriptedStep[] } = {
  running: [running, running],
  poll_lost: [{ kind: 'unknown' }],
  poll_refused: [{ kind: 'not_executed', reason: 'unavailable', lasting: true }],
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

export const interactionPollSteps: { readonly [S in InteractionScenario]?: readonly ScriptedStep[] } = {
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
  poll_refused: [{ kind: 'not_executed', reason: 'unavailable', lasting: true }],
};

export const interactionSteps: { readonly [S in InteractionScenario]: ScriptedStep } = {
  ...startSteps,
  requires_action: { kind: 'answer' },
};
