import { array, assert, constantFrom, integer, jsonValue, oneof, pre, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { createJsonScanner, type JsonBounds } from './json-scanner.ts';
import { parsePlace } from './place-pattern.ts';
import { jsonBounds, jsonBreachError, scanJson } from './scan-json.ts';

const unbounded: JsonBounds = { nodesMax: Infinity, namesMax: Infinity, depthMax: Infinity };

/** Whatever chunks it comes in: the same nodes and the same word on its numbers. */
const scanned = (text: string, chunkBytes = Infinity, bounds = unbounded) => {
  const scanner = createJsonScanner([], bounds);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const { breach } = scanner.scan(bytes.subarray(at, at + chunkBytes), 0);
    if (breach !== null) return breach;
  }
  return { nodes: scanner.nodes(), hasOddNumber: scanner.hasOddNumber() };
};

/** What the scan is to count, from the value. */
const signsOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const entries = Object.values(value);
  const own = 1 + Math.max(0, entries.length - 1) + (Array.isArray(value) ? 0 : entries.length);
  return entries.reduce((sum: number, entry) => sum + signsOf(entry), own);
};

test.each([
  ['0', 0],
  ['"{[,:]}"', 0],
  ['[]', 1],
  ['[0]', 1],
  ['[0,0,0]', 3],
  ['{"a":0}', 2],
  ['{"a":0,"b":[{},"\\"{,"]}', 7],
])('counts the signs of %s outside of its texts', (text, nodes) => {
  expect(scanned(text)).toEqual({ nodes, hasOddNumber: false });
});

test('counts of every value the same, whatever chunks it comes in', () => {
  assert(
    property(jsonValue({ maxDepth: 5 }), integer({ min: 1, max: 50 }), (value, chunkBytes) => {
      const text = JSON.stringify(value);
      expect(scanned(text)).toMatchObject({ nodes: signsOf(value) });
      expect(scanned(text, chunkBytes)).toMatchObject({ nodes: signsOf(value) });
    }),
  );
});

test.each(['-0', '-1', '1e5', '1E5', '0.5e-3', '9'.repeat(400), `[true,-0]`, `{"a":"${'x'.repeat(500)}","b":1e999}`])(
  'sees a number that JSON may not carry on in %s',
  (text) => {
    for (const chunkBytes of [1, 7, Infinity]) expect(scanned(text, chunkBytes)).toMatchObject({ hasOddNumber: true });
  },
);

test.each(['0', '[0.5,10]', '[true,false,null]', `{"e":"-1e5","${'9'.repeat(400)}":"${'9'.repeat(400)}"}`])(
  'takes the numbers of %s for plain ones',
  (text) => {
    expect(scanned(text)).toMatchObject({ hasOddNumber: false });
  },
);

test('takes no number for a plain one that is none, however the text is divided', () => {
  const odd = constantFrom(-0, -1, 1e300, 5e-7, -1e-300);
  assert(
    property(array(oneof(odd, string())), integer({ min: 1, max: 20 }), (list, chunkBytes) => {
      const text = `[${list.map((entry) => (Object.is(entry, -0) ? '-0' : JSON.stringify(entry))).join(',')}]`;
      pre(list.some((entry) => typeof entry === 'number'));
      expect(scanned(text, chunkBytes)).toMatchObject({ hasOddNumber: true });
    }),
  );
});

test('stops at the first sign too many, and at the first level too deep', () => {
  const bounds: JsonBounds = { nodesMax: 5, namesMax: 5, depthMax: 2 };
  expect(scanned('[0,0,0,0,0]', 3, bounds)).toMatchObject({ nodes: 5 });
  expect(scanned('[0,0,0,0,0,0]', 3, bounds)).toBe('nodes');
  expect(scanned('[[0]]', 3, bounds)).toMatchObject({ nodes: 2 });
  expect(scanned('[[],[]]', 3, bounds)).toMatchObject({ nodes: 4 });
  expect(scanned('[{"a":[', 3, bounds)).toBe('depth');
  const scanner = createJsonScanner([], bounds);
  expect(scanner.scan(Buffer.from(`[0,0,0,0,0,0${',0'.repeat(1000)}`), 0)).toEqual({
    at: 11,
    found: false,
    breach: 'nodes',
  });
});

test('counts field names that differ, at every depth and however they are divided, and no texts', () => {
  const bounds: JsonBounds = { nodesMax: 1_000, namesMax: 3, depthMax: 100 };
  const same = '{"a":["x","y","z","w"],"b":{"a":{"b":{"c":"d"}}},"c":[{"a":0},{"b":"e"},{"c":"f"}]}';
  for (const chunkBytes of [1, 5, Infinity]) {
    expect(scanned(same, chunkBytes, bounds)).toMatchObject({ hasOddNumber: false });
    expect(scanned(same.replace('{"c":"d"}', '{"d":"d"}'), chunkBytes, bounds)).toBe('names');
    expect(scanned('[{"a":0},{"b":0},{"c":0},{"d":0}]', chunkBytes, bounds)).toBe('names');
  }
});

test('finds the text at a place behind a text of escapes that a chunk divides', () => {
  const text = `{"a":"${'\\\\'.repeat(40)}\\"","data":"found"}`;
  for (let cut = 1; cut < text.length; cut += 1) {
    const scanner = createJsonScanner([parsePlace('data')], unbounded);
    const [first, second] = [text.slice(0, cut), text.slice(cut)];
    const stop = scanner.scan(Buffer.from(first), 0);
    const rest = stop.found ? '' : second.slice(scanner.scan(Buffer.from(second), 0).at);
    expect(stop.found ? first.slice(stop.at) + second : rest, String(cut)).toBe('found"}');
  }
});

test('says what came, what is accepted and the name of the limit', () => {
  const bounds = { nodesMax: 3, namesMax: 1, depthMax: 2 };
  expect(scanJson(Buffer.from('[0,0,0,0]'), bounds)).toBe('nodes');
  expect(jsonBreachError('nodes', bounds)).toMatchObject({
    code: 'body_too_large',
    message:
      'The body holds more than 3 values and field names (bodyNodesMax); accepted are at most 3, whatever its bytes.',
  });
  expect(jsonBreachError('names', bounds)).toMatchObject({
    code: 'body_too_large',
    message:
      'The body holds more than 1 field names that differ (a tenth of bodyNodesMax); accepted are at most 1, whatever its bytes.',
  });
  expect(jsonBreachError('depth', bounds)).toMatchObject({
    code: 'invalid_request',
    message: 'The body is nested more than 2 levels deep; accepted are at most 2.',
  });
});

test('notes the texts of more than 64 KiB that are no field names, in whatever chunks they come', () => {
  const texts = ['a'.repeat(65_537), '\\"'.repeat(40_000), 'a'.repeat(65_536), 'b'.repeat(70_000)];
  const bytes = Buffer.from(
    `{"k":["${texts[0]}","${texts[1]}"],"${'k'.repeat(70_000)}":"${texts[2]}","z":"${texts[3]}"}`,
  );
  for (const chunkBytes of [999, 65_536, bytes.length]) {
    const scanner = createJsonScanner([], jsonBounds(100));
    for (let at = 0; at < bytes.length; at += chunkBytes) scanner.scan(bytes.subarray(at, at + chunkBytes), 0);
    const found = scanner.longTexts().map(({ from, to }) => bytes.toString('latin1', from, to));
    expect(found.map((text) => texts.indexOf(text))).toEqual([0, 1, 3]);
  }
});
