import type { GenerationCall } from '@tollgate/provider';
import { settingRows } from '@tollgate/testing/provider';
import { expect, test } from 'vitest';
import type { ModelTraits } from './model-traits.ts';
import { encodeRequest } from './request-body.ts';
import { cannotSend, toGoogle } from './to-google.ts';

const traits: ModelTraits = { systemInFirstTurn: false, signedCalls: true, thinkingLevels: true, interactions: false };

const plain: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'gemini-3-flash',
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
    upstreamModel: { fate: 'unseen', value: 'other-model', why: 'the path names the model' },
    systemInstruction: { fate: 'carried', value: 'Be brief.' },
    contents: { fate: 'carried', value: [{ role: 'user', parts: [{ kind: 'text', text: 'Bye' }] }] },
    tools: { fate: 'carried', value: [{ kind: 'function', name: 'g' }] },
    toolChoice: { fate: 'carried', value: { kind: 'none' } },
    responseFormat: { fate: 'carried', value: { kind: 'json_object' } },
    sampling: { fate: 'carried', value: { temperature: 1 } },
    outputTokensMax: { fate: 'carried', value: 101 },
    endUser: { fate: 'unseen', value: 'user-1', why: 'the upstream has no place for the client’s own user' },
    thinking: { fate: 'carried', value: { level: 'low' } },
    modalities: { fate: 'carried', value: ['text', 'image'] },
    image: { fate: 'carried', value: { size: '1K' } },
    speech: { fate: 'carried', value: { kind: 'one_voice', voice: 'Kore' } },
    mediaResolution: { fate: 'carried', value: 'low' },
    safety: { fate: 'carried', value: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
    cached: { fate: 'carried', value: { reference: 'caches/1', tokens: 9 } },
  },
  sampling: {
    temperature: { fate: 'carried', value: 0.1 },
    topP: { fate: 'carried', value: 0.1 },
    topK: { fate: 'carried', value: 3 },
    seed: { fate: 'carried', value: 3 },
    stopSequences: { fate: 'carried', value: ['END'] },
    parallelToolCalls: { fate: 'unseen', value: false, why: 'the upstream decides it' },
    frequencyPenalty: { fate: 'carried', value: 0.5 },
    presencePenalty: { fate: 'carried', value: -0.5 },
  },
  thinking: {
    includeThoughts: { fate: 'carried', value: true },
    budgetTokens: { fate: 'carried', value: 10 },
    level: { fate: 'carried', value: 'low' },
  },
});

/** The bytes that go out. */
const sent = (call: GenerationCall): string => {
  const body = encodeRequest(toGoogle(call, traits, () => undefined));
  return body.kind === 'bytes' ? body.bytes.toString('utf8') : 'pieces';
};

test.each(rows)('$name is $fate', ({ fate, changed }) => {
  const refused = cannotSend(changed) !== undefined;
  expect({ refused, carried: !refused && sent(changed) !== sent(plain) }).toEqual({
    refused: fate === 'refused',
    carried: fate === 'carried',
  });
});
