import { isNotExecuted, type GenerationCall } from '@tollgate/provider';
import { settingRows } from '@tollgate/testing/provider';
import { expect, test } from 'vitest';
import { toCallOptions } from './to-call-options.ts';

const rows = settingRows({
  call: {
    operationId: { unseen: 'the upstream takes no id' },
    upstreamModel: { unseen: 'the host’s own model has its name' },
    systemInstruction: 'carried',
    contents: 'carried',
    tools: 'carried',
    toolChoice: 'carried',
    responseFormat: 'carried',
    sampling: 'carried',
    outputTokensMax: 'carried',
    endUser: 'refused',
    thinking: 'carried',
    modalities: 'refused',
    image: 'refused',
    speech: 'refused',
    audioFormat: 'refused',
    transcription: { unseen: 'the instruction says it' },
    mediaResolution: 'refused',
    safety: 'refused',
    cached: { unseen: 'the provider keeps no caches' },
    promptCache: { unseen: 'a hint without effect on the answer' },
    serviceTier: 'refused',
  },
  sampling: {
    temperature: 'carried',
    topP: 'carried',
    topK: 'carried',
    seed: 'carried',
    stopSequences: 'carried',
    parallelToolCalls: 'refused',
    frequencyPenalty: 'carried',
    presencePenalty: 'carried',
  },
  thinking: {
    includeThoughts: { unseen: 'what the model shows is handed on' },
    budgetTokens: 'refused',
    level: 'carried',
  },
  builtInTools: { code_execution: 'refused', url_context: 'refused', web_search: 'refused' },
  webSearch: { allowedDomains: 'refused', blockedDomains: 'refused', usesMax: 'refused' },
  image: {
    aspectRatio: 'refused',
    size: 'refused',
    pixels: 'refused',
    count: 'refused',
    quality: 'refused',
    background: 'refused',
    format: 'refused',
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

test.each(rows)('$name is $fate', ({ fate, base, changed }) => {
  const changedText = written(changed);
  expect({
    refused: changedText === null,
    carried: changedText !== null && changedText !== written(base),
  }).toEqual({
    refused: fate === 'refused',
    carried: fate === 'carried',
  });
});
