import type { GenerationCall } from '@tollgate/provider';
import { settingRows } from '@tollgate/testing/provider';
import { expect, test } from 'vitest';
import type { ModelTraits } from './model-traits.ts';
import { encodeRequest } from './request-body.ts';
import { cannotSend, toGoogle } from './to-google.ts';

const traits: ModelTraits = {
  systemInFirstTurn: false,
  signedCalls: true,
  thinkingLevels: true,
  interactions: false,
  searches: true,
  tiered: true,
};

const rows = settingRows({
  call: {
    operationId: { unseen: 'the upstream takes no id' },
    upstreamModel: { unseen: 'the path names the model' },
    systemInstruction: 'carried',
    contents: 'carried',
    tools: 'carried',
    toolChoice: 'carried',
    responseFormat: 'carried',
    sampling: 'carried',
    outputTokensMax: 'carried',
    endUser: { unseen: 'the upstream has no place for the client’s own user' },
    thinking: 'carried',
    modalities: 'carried',
    image: 'carried',
    speech: 'carried',
    audioFormat: 'refused',
    transcription: { unseen: 'the instruction says it' },
    mediaResolution: 'carried',
    safety: 'carried',
    cached: 'carried',
    promptCache: { unseen: 'a hint without effect on the answer' },
    serviceTier: 'carried',
  },
  sampling: {
    temperature: 'carried',
    topP: 'carried',
    topK: 'carried',
    seed: 'carried',
    stopSequences: 'carried',
    parallelToolCalls: { unseen: 'the upstream decides it' },
    frequencyPenalty: 'carried',
    presencePenalty: 'carried',
  },
  thinking: {
    includeThoughts: 'carried',
    budgetTokens: 'carried',
    level: 'carried',
  },
  builtInTools: { code_execution: 'carried', url_context: 'carried', web_search: 'carried' },
  webSearch: { allowedDomains: 'refused', blockedDomains: 'refused', usesMax: 'refused' },
  image: {
    aspectRatio: 'carried',
    size: 'carried',
    pixels: { unseen: 'the aspect ratio and the size say it' },
    count: 'refused',
    quality: 'refused',
    background: 'refused',
    format: 'refused',
  },
});

/** The bytes that go out. */
const sent = (call: GenerationCall): string => {
  const body = encodeRequest(toGoogle(call, traits, () => undefined));
  return body.kind === 'bytes' ? body.bytes.toString('utf8') : 'pieces';
};

test.each(rows)('$name is $fate', ({ fate, base, changed }) => {
  const refused = cannotSend(changed, traits) !== undefined;
  expect({ refused, carried: !refused && sent(changed) !== sent(base) }).toEqual({
    refused: fate === 'refused',
    carried: fate === 'carried',
  });
});
