import type { GenerationCall, Part } from '@tollgate/provider';
import { settingRows, type SettingFates } from '@tollgate/testing/provider';
import { expect, test } from 'vitest';
import { cannotSend } from './carried-settings.ts';
import { toOpenai } from './to-openai.ts';

const options = { tokenLimitField: 'max_tokens', temperature: 'sent', topK: 'refused', reasoning: 'sent' } as const;

const call: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'upstream-model',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [{ kind: 'function', name: 'f' }],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
};

const callFates: SettingFates['call'] = {
  operationId: { fate: 'unseen', value: 'other', why: 'the upstream takes no id' },
  upstreamModel: { fate: 'carried', value: 'other-model' },
  systemInstruction: { fate: 'carried', value: 'Be brief.' },
  contents: { fate: 'carried', value: [{ role: 'user', parts: [{ kind: 'text', text: 'Bye' }] }] },
  tools: { fate: 'carried', value: [{ kind: 'function', name: 'g' }] },
  toolChoice: { fate: 'carried', value: { kind: 'none' } },
  responseFormat: { fate: 'carried', value: { kind: 'json_object' } },
  sampling: { fate: 'carried', value: { temperature: 1 } },
  outputTokensMax: { fate: 'carried', value: 101 },
  endUser: { fate: 'carried', value: 'user-1' },
  thinking: { fate: 'carried', value: { level: 'low' } },
  modalities: { fate: 'refused', value: ['text', 'audio'] },
  image: { fate: 'refused', value: { size: '1K' } },
  speech: { fate: 'refused', value: { kind: 'one_voice', voice: 'Kore' } },
  mediaResolution: { fate: 'refused', value: 'low' },
  safety: { fate: 'refused', value: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
  cached: { fate: 'refused', value: { reference: 'caches/1', tokens: 9 } },
};

const samplingFates: SettingFates['sampling'] = {
  temperature: { fate: 'carried', value: 0.1 },
  topP: { fate: 'carried', value: 0.1 },
  topK: { fate: 'refused', value: 3 },
  seed: { fate: 'carried', value: 3 },
  stopSequences: { fate: 'carried', value: ['END'] },
  parallelToolCalls: { fate: 'carried', value: false },
  frequencyPenalty: { fate: 'carried', value: 0.5 },
  presencePenalty: { fate: 'carried', value: -0.5 },
};

const thinkingFates: SettingFates['thinking'] = {
  includeThoughts: { fate: 'unseen', value: true, why: 'what the upstream shows is handed on' },
  budgetTokens: { fate: 'carried', value: 10 },
  level: { fate: 'carried', value: 'low' },
};

const rows = settingRows(call, { call: callFates, sampling: samplingFates, thinking: thinkingFates });

test.each(rows)('$name is $fate', ({ fate, changed }) => {
  const refused = cannotSend(changed, options) !== undefined;
  const carried = JSON.stringify(toOpenai(changed, options)) !== JSON.stringify(toOpenai(call, options));
  expect({ refused, carried: carried && !refused }).toEqual({
    refused: fate === 'refused',
    carried: fate === 'carried',
  });
});

test('refuses nothing of a plain call, nor what asks for text alone', () => {
  expect(cannotSend({ ...call, modalities: ['text'], safety: [] }, options)).toBeUndefined();
});

test('carries or refuses as the host says what its upstream takes', () => {
  const sampled = { ...call, sampling: { topK: 3 } };
  expect(cannotSend(sampled, { ...options, topK: 'sent' })).toBeUndefined();
  expect(toOpenai(sampled, { ...options, topK: 'sent' })).toMatchObject({ top_k: 3 });
  expect(cannotSend({ ...call, thinking: {} }, { ...options, reasoning: 'refused' })).toBeDefined();
});

test('refuses built-in tools, and a choice that leaves no function to be called', () => {
  expect(cannotSend({ ...call, tools: [{ kind: 'url_context' }] }, options)?.why).toContain('built-in tools');
  expect(cannotSend({ ...call, toolChoice: { kind: 'required', names: ['g'] } }, options)?.why).toContain(
    'no function',
  );
});

const drawn: Part = { kind: 'media', mimeType: 'image/png', data: 'aGk=' };
const stored: Part = {
  kind: 'blob',
  mimeType: 'image/png',
  sizeBytes: 1,
  read: () => {
    throw new Error('read');
  },
};

test.each<Part>([
  drawn,
  stored,
  { kind: 'executable_code', language: 'PYTHON', code: '1' },
  { kind: 'code_execution_result', outcome: 'ok', output: '1' },
])('refuses what the wire cannot carry of the model, such as $kind', (part) => {
  expect(cannotSend({ ...call, contents: [{ role: 'model', parts: [part] }] }, options)).toBeDefined();
});

test.each([drawn, stored])('carries $kind of the user', (part) => {
  expect(cannotSend({ ...call, contents: [{ role: 'user', parts: [part] }] }, options)).toBeUndefined();
});

test('names the setting that is in the way', () => {
  expect(cannotSend({ ...call, sampling: { topK: 4 } }, options)?.field).toBe('topK');
  expect(cannotSend({ ...call, safety: [{ category: 'c', threshold: 't' }] }, options)?.field).toBe('safety');
  const code = { kind: 'executable_code', language: 'PYTHON', code: '1' } as const;
  expect(cannotSend({ ...call, contents: [{ role: 'model', parts: [code] }] }, options)?.field).toBe('contents');
});
