import { isNotExecuted, type GenerationCall } from '@tollgate/provider';
import { settingRows } from '@tollgate/testing/provider';
import { expect, test } from 'vitest';
import { toCallOptions } from './to-call-options.ts';

const plain: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'some-model',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [{ kind: 'function', name: 'f' }],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
};

const rows = settingRows(plain, {
  call: {
    operationId: { fate: 'unseen', value: 'other', why: 'the upstream takes no id' },
    upstreamModel: { fate: 'unseen', value: 'other-model', why: 'the host’s own model has its name' },
    systemInstruction: { fate: 'carried', value: 'Be brief.' },
    contents: { fate: 'carried', value: [{ role: 'user', parts: [{ kind: 'text', text: 'Bye' }] }] },
    tools: { fate: 'carried', value: [{ kind: 'function', name: 'g' }] },
    toolChoice: { fate: 'carried', value: { kind: 'none' } },
    responseFormat: { fate: 'carried', value: { kind: 'json_object' } },
    sampling: { fate: 'carried', value: { temperature: 1 } },
    outputTokensMax: { fate: 'carried', value: 101 },
    endUser: { fate: 'refused', value: 'user-1' },
    thinking: { fate: 'carried', value: { level: 'low' } },
    modalities: { fate: 'refused', value: ['text', 'image'] },
    image: { fate: 'refused', value: { size: '1K' } },
    speech: { fate: 'refused', value: { kind: 'one_voice', voice: 'Kore' } },
    mediaResolution: { fate: 'refused', value: 'low' },
    safety: { fate: 'refused', value: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
    cached: { fate: 'unseen', value: { reference: 'caches/1', tokens: 9 }, why: 'the provider keeps no caches' },
  },
  sampling: {
    temperature: { fate: 'carried', value: 0.1 },
    topP: { fate: 'carried', value: 0.1 },
    topK: { fate: 'carried', value: 3 },
    seed: { fate: 'carried', value: 3 },
    stopSequences: { fate: 'carried', value: ['END'] },
    parallelToolCalls: { fate: 'refused', value: false },
    frequencyPenalty: { fate: 'carried', value: 0.5 },
    presencePenalty: { fate: 'carried', value: -0.5 },
  },
  thinking: {
    includeThoughts: { fate: 'unseen', value: true, why: 'what the model shows is handed on' },
    budgetTokens: { fate: 'refused', value: 10 },
    level: { fate: 'carried', value: 'low' },
  },
});

const world = {
  vendor: 'other',
  media: new Map(),
  model: { provider: 'a-vendor.chat', modelId: 'some-model' },
  builtInTool: () => undefined,
} as const;

/** What the model is asked, or null where the call is refused. */
const written = (call: GenerationCall): string | null => {
  try {
    return JSON.stringify(toCallOptions(call, world));
  } catch (cause) {
    if (isNotExecuted(cause)) return null;
    throw cause;
  }
};

test.each(rows)('$name is $fate', ({ fate, changed }) => {
  const changedText = written(changed);
  expect({ refused: changedText === null, carried: changedText !== null && changedText !== written(plain) }).toEqual({
    refused: fate === 'refused',
    carried: fate === 'carried',
  });
});
