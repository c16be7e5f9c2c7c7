import { array, assert, constantFrom, jsonValue, oneof, property, sample } from 'fast-check';
import { expect, test } from 'vitest';
import { compatPolicy, strictPolicy } from '../../test/chat-calls.ts';
import { samples } from '../../test/media-samples.ts';
import { parseChatRequest } from './chat-request.ts';
import { isGatewayError } from '../http/gateway-error.ts';

const seed = 20_261_120;
const url = `data:image/png;base64,${samples.png}`;

/** A body that uses every field, accepted with the compatibility option. */
const complete = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'image_url', image_url: { url, detail: 'low' } },
        { type: 'input_audio', input_audio: { data: samples.wav, format: 'wav' } },
        { type: 'file', file: { file_data: samples.pdf, filename: 'a.pdf' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      context: 'sealed',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '{}' },
  ],
  temperature: 1,
  stream: true,
  stream_options: { include_usage: true },
  response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
  tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }, { type: 'url_context' }],
  tool_choice: { type: 'function', function: { name: 'f' } },
  stop: ['a'],
  metadata: { run: '1' },
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

/** Parses under both policies; tells how many accepted. Anything thrown but a gateway error fails the test. */
const accepted = (body: unknown): number => {
  let count = 0;
  for (const policy of [strictPolicy, compatPolicy]) {
    try {
      parseChatRequest(body, policy);
      count += 1;
    } catch (error) {
      expect(isGatewayError(error), String(error)).toBe(true);
    }
  }
  return count;
};

const leaf = constantFrom(null, true, 0, 1, -1, 0.5, '', 'user', 'text', 'function', 'auto', '{}', 'a', url, undefined);
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
  for (const place of placesOf(complete)) {
    const inSchema = place.includes('schema') || place.includes('parameters') || place.includes('metadata');
    const last = place.at(-1);
    if (typeof last === 'number' || inSchema) continue;
    expect(accepted(replaced([...place.slice(0, -1), 'zzz'], 1)), place.join('.')).toBe(0);
  }
});
