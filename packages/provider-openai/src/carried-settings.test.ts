import type { GenerationCall, Part } from '@tollgate/provider';
import { plainCall as call, settingRows } from '@tollgate/testing/provider';
import { expect, test } from 'vitest';
import { cannotSend } from './carried-settings.ts';
import { toOpenai } from './to-openai.ts';

const options = {
  tokenLimitField: 'max_tokens',
  temperature: 'sent',
  topK: 'refused',
  reasoning: 'sent',
  webSearch: 'refused',
  serviceTier: 'sent',
} as const;

const rows = settingRows({
  call: {
    operationId: { unseen: 'the upstream takes no id' },
    upstreamModel: 'carried',
    systemInstruction: 'carried',
    contents: 'carried',
    tools: 'carried',
    toolChoice: 'carried',
    responseFormat: 'carried',
    sampling: 'carried',
    outputTokensMax: 'carried',
    endUser: 'carried',
    thinking: 'carried',
    modalities: 'refused',
    image: 'refused',
    speech: 'refused',
    audioFormat: 'refused',
    transcription: { unseen: 'the instruction says it' },
    mediaResolution: 'refused',
    safety: 'refused',
    cached: 'refused',
    promptCache: { unseen: 'a hint without effect on the answer' },
    serviceTier: 'carried',
  },
  sampling: {
    temperature: 'carried',
    topP: 'carried',
    topK: 'refused',
    seed: 'carried',
    stopSequences: 'carried',
    parallelToolCalls: 'carried',
    frequencyPenalty: 'carried',
    presencePenalty: 'carried',
  },
  thinking: {
    includeThoughts: { unseen: 'what the upstream shows is handed on' },
    budgetTokens: 'carried',
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

test.each(rows)('$name is $fate', ({ fate, base, changed }) => {
  const refused = cannotSend(changed, options) !== undefined;
  const carried = JSON.stringify(toOpenai(changed, options)) !== JSON.stringify(toOpenai(base, options));
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
  const searching: GenerationCall = { ...call, tools: [{ kind: 'web_search' }] };
  const searches = { ...options, webSearch: 'sent' } as const;
  expect(cannotSend(searching, searches)).toBeUndefined();
  expect(toOpenai(searching, searches)).toMatchObject({ web_search_options: {} });
  expect(toOpenai({ ...searching, toolChoice: { kind: 'none' } }, searches)['web_search_options']).toBeUndefined();
  expect(cannotSend({ ...call, tools: [{ kind: 'web_search', usesMax: 1 }] }, searches)?.field).toBe('tools');
  expect(cannotSend({ ...call, thinking: {} }, { ...options, reasoning: 'refused' })).toBeDefined();
  const tierless = { ...options, serviceTier: 'refused' } as const;
  expect(cannotSend({ ...call, serviceTier: 'flex' }, tierless)?.field).toBe('serviceTier');
  expect(cannotSend({ ...call, serviceTier: 'standard' }, tierless)).toBeUndefined();
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
