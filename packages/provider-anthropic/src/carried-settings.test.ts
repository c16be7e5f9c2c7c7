import type { GenerationCall, Part } from '@tollgate/provider';
import { plainCall as call, settingRows } from '@tollgate/testing/provider';
import { expect, test } from 'vitest';
import { cannotSend } from './carried-settings.ts';
import { modelTraitsOf, type ModelTraits } from './model-traits.ts';
import { toAnthropic } from './to-anthropic.ts';

const tools = ['code_execution', 'url_context', 'web_search'] as const;
const traits: ModelTraits = { thinking: 'adaptive', refuses: [], tools, serviceTiers: ['priority'] };
const rules = { traits, cachePrompts: 'asked', standardTier: 'left_out' } as const;

const rows = settingRows({
  call: {
    operationId: { unseen: 'the upstream takes no id' },
    upstreamModel: 'carried',
    systemInstruction: 'carried',
    contents: 'carried',
    tools: 'carried',
    toolChoice: 'carried',
    responseFormat: 'refused',
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
    promptCache: 'carried',
    serviceTier: 'carried',
  },
  sampling: {
    temperature: 'carried',
    topP: 'carried',
    topK: 'carried',
    seed: 'refused',
    stopSequences: 'carried',
    parallelToolCalls: 'carried',
    frequencyPenalty: 'refused',
    presencePenalty: 'refused',
  },
  thinking: {
    includeThoughts: 'carried',
    budgetTokens: 'carried',
    level: 'carried',
  },
  image: {
    aspectRatio: 'refused',
    size: 'refused',
    pixels: 'refused',
    count: 'refused',
    quality: 'refused',
    background: 'refused',
    format: 'refused',
  },
  builtInTools: { code_execution: 'carried', url_context: 'carried', web_search: 'carried' },
  webSearch: { allowedDomains: 'carried', blockedDomains: 'carried', usesMax: 'carried' },
});

test.each(rows)('$name is $fate', ({ fate, base, changed }) => {
  const refused = cannotSend(changed, traits) !== undefined;
  const carried = JSON.stringify(toAnthropic(changed, rules)) !== JSON.stringify(toAnthropic(base, rules));
  expect({ refused, carried: carried && !refused }).toEqual({
    refused: fate === 'refused',
    carried: fate === 'carried',
  });
});

test('refuses nothing of a plain call, nor a schema, nor what asks for text alone', () => {
  const schema = { kind: 'json_schema', name: 'n', schema: { type: 'object' } } as const;
  expect(cannotSend({ ...call, modalities: ['text'], safety: [], responseFormat: schema }, traits)).toBeUndefined();
});

const field = (changed: Partial<GenerationCall>, of = traits): string | undefined =>
  cannotSend({ ...call, ...changed }, of)?.field;

test.each([
  [{ sampling: { seed: 1 } }, 'seed'],
  [{ sampling: { temperature: 1.5 } }, 'temperature'],
  [{ sampling: { presencePenalty: 1 } }, 'presencePenalty'],
  [{ responseFormat: { kind: 'json_object' } }, 'responseFormat'],
  [{ modalities: ['text', 'image'] }, 'modalities'],
  [{ toolChoice: { kind: 'required', names: ['g'] } }, 'toolChoice'],
  [{ tools: [], toolChoice: { kind: 'function', name: 'f' } }, 'toolChoice'],
] as const)('names the setting that is in the way: %j is %s', (changed, name) => {
  expect(field(changed)).toBe(name);
});

test.each(['temperature', 'topP', 'topK'] as const)('refuses %s of a model that takes none, by its name', (setting) => {
  const sampling = { [setting]: 1 };
  expect(field({ sampling }, modelTraitsOf('claude-opus-4-8'))).toBe(setting);
  expect(field({ sampling }, modelTraitsOf('claude-sonnet-4-5'))).toBeUndefined();
});

test('refuses of a model what the host says that it refuses', () => {
  const refuses = ['stopSequences', 'thinking', 'endUser', 'parallelToolCalls', 'responseFormat'] as const;
  const of = { ...traits, refuses };
  expect(field({ sampling: { stopSequences: ['x'] } }, of)).toBe('stopSequences');
  expect(field({ thinking: { level: 'low' } }, of)).toBe('thinking');
  expect(field({ endUser: 'u' }, of)).toBe('endUser');
  expect(field({ sampling: { parallelToolCalls: false } }, of)).toBe('parallelToolCalls');
  expect(field({ sampling: { parallelToolCalls: true } }, of)).toBeUndefined();
  const schema = { kind: 'json_schema', name: 'n', schema: {} } as const;
  expect(field({ responseFormat: schema }, of)).toBe('responseFormat');
});

test('refuses sampling beside thinking, as the upstream would', () => {
  const thinking = { level: 'low' } as const;
  expect(field({ thinking, sampling: { temperature: 0.5 } })).toBe('temperature');
  expect(field({ thinking, sampling: { temperature: 1, topP: 0.95 } })).toBeUndefined();
  expect(field({ thinking, sampling: { topP: 0.9 } })).toBe('topP');
  expect(field({ thinking, sampling: { topK: 5 } })).toBe('topK');
  expect(field({ thinking: { budgetTokens: 0 }, sampling: { temperature: 0.5 } })).toBeUndefined();
});

test('refuses a budget of thinking that the limit of output has no room for', () => {
  const budget = { thinking: 'budget', refuses: [], tools, serviceTiers: [] } as const;
  expect(field({ thinking: { budgetTokens: 2_000 }, outputTokensMax: 1_024 }, budget)).toBe('thinking');
  expect(field({ thinking: { budgetTokens: 2_000 }, outputTokensMax: 1_025 }, budget)).toBeUndefined();
});

test('refuses tools that the upstream does not run beside a model, and a search with both kinds of domains', () => {
  expect(field({ tools: [{ kind: 'web_search' }] }, { ...traits, tools: ['url_context'] })).toBe('tools');
  const search = { kind: 'web_search', allowedDomains: ['a.com'] } as const;
  expect(field({ tools: [search] })).toBeUndefined();
  expect(field({ tools: [{ ...search, blockedDomains: ['b.com'] }] })).toBe('tools');
});

test('takes code back that the upstream ran itself', () => {
  const code = { kind: 'executable_code', id: 'srvtoolu_1', language: 'BASH', code: 'ls' } as const;
  const result = { kind: 'code_execution_result', id: 'srvtoolu_1', outcome: 'ok', output: 'a' } as const;
  expect(field({ contents: [{ role: 'model', parts: [code, result] }] })).toBeUndefined();
  expect(field({ contents: [{ role: 'model', parts: [{ ...code, language: 'RUST' }] }] })).toBe('contents');
  expect(field({ contents: [{ role: 'model', parts: [{ ...result, id: 'other' }] }] })).toBe('contents');
});

const drawn: Part = { kind: 'media', mimeType: 'image/png', data: 'aGk=' };

test.each<Part>([
  drawn,
  { kind: 'executable_code', language: 'PYTHON', code: '1' },
  { kind: 'code_execution_result', outcome: 'ok', output: '1' },
  { kind: 'function_call', id: 'c', name: 'f', arguments: '[1]' },
])('refuses what messages cannot carry of the model, such as $kind', (part) => {
  expect(field({ contents: [{ role: 'model', parts: [part] }] })).toBe('contents');
});

test.each(['audio/wav', 'video/mp4', 'image/tiff', 'application/zip'])('refuses %s of the user', (mimeType) => {
  expect(field({ contents: [{ role: 'user', parts: [{ kind: 'media', mimeType, data: 'aGk=' }] }] })).toBe('contents');
});
