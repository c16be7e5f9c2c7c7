import { array, assert, constantFrom, jsonValue, oneof, property, sample } from 'fast-check';
import { expect, test } from 'vitest';
import { samples } from '../../test/media-samples.ts';
import { parseGenerateRequest, type GeneratePolicy } from './generate-request.ts';
import { isGatewayError } from '../http/gateway-error.ts';

const seed = 20_261_120;

const policies: readonly GeneratePolicy[] = [
  { googleCompat: false, snakeCase: false },
  { googleCompat: true, snakeCase: false },
  { googleCompat: false, snakeCase: true },
];

/** A body that uses every field, accepted with the compatibility option alone. */
const complete = {
  contents: [
    {
      role: 'user',
      parts: [
        { text: 'Look.' },
        { inlineData: { mimeType: 'image/png', data: samples.png } },
        { fileData: { fileUri: 'files/01900000-0000-7000-8000-000000000000', mimeType: 'image/png' } },
      ],
    },
    {
      role: 'model',
      parts: [
        { text: 'Hm.', thought: true, thoughtSignature: 'a' },
        { functionCall: { id: 'c', name: 'f', args: { a: [1] } }, thoughtSignature: 'b' },
        { executableCode: { language: 'PYTHON', code: '1' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      ],
    },
    { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'f', response: { b: null } } }] },
  ],
  systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
  generationConfig: {
    temperature: 1,
    topP: 1,
    topK: 1,
    seed: 1,
    stopSequences: ['a'],
    maxOutputTokens: 1,
    candidateCount: 1,
    responseMimeType: 'application/json',
    responseSchema: { type: 'OBJECT' },
    thinkingConfig: { includeThoughts: true, thinkingBudget: 1, thinkingLevel: 'low' },
    mediaResolution: 'MEDIA_RESOLUTION_LOW',
    responseModalities: ['TEXT'],
    imageConfig: { aspectRatio: '1:1', imageSize: '1K' },
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'a' } }, languageCode: 'pt' },
  },
  tools: [{ functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT' } }], codeExecution: {}, urlContext: {} }],
  toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
};

type Path = readonly (string | number)[];

/** Every place of a value, the value itself left out. */
const placesOf = (value: unknown, base: Path = []): readonly Path[] => {
  if (typeof value !== 'object' || value === null) return [];
  const keys: readonly (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const places: Path[] = [];
  for (const key of keys) places.push([...base, key], ...placesOf(Reflect.get(value, key), [...base, key]));
  return places;
};

/** The complete body with the value at one place replaced, or left out when it is undefined. */
const replaced = (path: Path, value: unknown): unknown => {
  const copy: unknown = structuredClone(complete);
  let node: unknown = copy;
  for (const step of path.slice(0, -1)) if (typeof node === 'object' && node !== null) node = Reflect.get(node, step);
  if (typeof node === 'object' && node !== null) Reflect.set(node, path.at(-1) ?? '', value);
  const text = JSON.stringify(copy);
  return JSON.parse(text) as unknown;
};

/** Parses under every policy; tells how many accepted. Anything thrown but a gateway error fails the test. */
const accepted = (body: unknown): number => {
  let count = 0;
  for (const policy of policies) {
    try {
      parseGenerateRequest(body, policy);
      count += 1;
    } catch (error) {
      expect(isGatewayError(error), String(error)).toBe(true);
    }
  }
  return count;
};

const leaf = constantFrom(null, true, 0, 1, -1, 0.5, '', 'user', 'ANY', 'caches/a', 'files/a', '{}', 'a', undefined);
const value = oneof(leaf, array(leaf, { maxLength: 3 }), jsonValue({ maxDepth: 4 }));

test('throws nothing but gateway errors for any JSON', () => {
  assert(
    property(jsonValue({ maxDepth: 6 }), (body) => {
      expect(accepted(body)).toBe(0);
    }),
    { seed, numRuns: 1000 },
  );
});

test('throws nothing but gateway errors when any place of a full body is replaced', () => {
  expect(accepted(complete)).toBe(1);
  const places = placesOf(complete);
  let count = 0;
  for (const place of places) {
    for (const other of sample(value, { seed, numRuns: 60 })) count += accepted(replaced(place, other));
  }
  expect(count).toBeGreaterThan(places.length);
});

test('refuses an unknown field beside any field of a full body', () => {
  const own = new Set<string | number>(['args', 'response', 'responseSchema', 'parameters']);
  for (const place of placesOf(complete)) {
    const inOwn = place.slice(0, -1).some((step) => own.has(step));
    if (typeof place.at(-1) === 'number' || inOwn) continue;
    expect(accepted(replaced([...place.slice(0, -1), 'zzz'], 1)), place.join('.')).toBe(0);
  }
});
