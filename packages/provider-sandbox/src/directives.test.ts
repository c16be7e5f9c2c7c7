import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { directivesMax, directiveTable, parseDirectives } from './directives.ts';

test('reads directives anywhere in a text, in order', () => {
  expect(parseDirectives('Please [[sandbox: slow 500]] and\n[[sandbox:fail]] now')).toEqual([
    { kind: 'slow', ms: 500 },
    { kind: 'fail' },
  ]);
});

test('reads arguments that hold brackets and quotes', () => {
  const json = '{"rows":[[1,2],[3]],"say":"]] \\" }"}';
  expect(parseDirectives(`[[sandbox: tool save ${json}]] [[sandbox: json ${json}]]`)).toEqual([
    { kind: 'tool', name: 'save', arguments: json },
    { kind: 'json', text: json },
  ]);
});

test.each([
  ['tool ping', { kind: 'tool', name: 'ping', arguments: '{}' }],
  ['tokens in=10 out=20', { kind: 'tokens', counts: { in: 10, out: 20 } }],
  ['tokens in=60 cached=40 out=0 thoughts=7', { kind: 'tokens', counts: { in: 60, cached: 40, out: 0, thoughts: 7 } }],
  ['hang', { kind: 'hang', ms: null }],
  ['hang 2000', { kind: 'hang', ms: 2_000 }],
  ['slow 999999', { kind: 'slow', ms: 600_000 }],
  ['rate-limited', { kind: 'rate-limited', retryAfterMs: 1_000 }],
  ['rate-limited 3', { kind: 'rate-limited', retryAfterMs: 3_000 }],
  ['echo  two  words ', { kind: 'echo', text: 'two  words' }],
  ['unknown-usage', { kind: 'unknown-usage' }],
])('reads "%s"', (body, directive) => {
  expect(parseDirectives(`[[sandbox: ${body}]]`)).toEqual([directive]);
});

test.each([
  '',
  'fial',
  'fail now',
  'slow',
  'slow soon',
  'tokens in=-1',
  'tokens in=1.5',
  'json [1]',
  'tool f {"a":',
  'tool',
])('tells that "%s" is misspelt', (body) => {
  expect(parseDirectives(`[[sandbox: ${body}]]`)).toMatchObject([{ kind: 'misspelt' }]);
});

test('knows every directive of its table', () => {
  const examples = { echo: 'echo a', json: 'json {}', tool: 'tool f', tokens: 'tokens in=1', slow: 'slow 1' };
  const seen = Object.keys(directiveTable).map((name) => {
    const body = new Map(Object.entries(examples)).get(name) ?? name;
    return parseDirectives(`[[sandbox: ${body}]]`)[0]?.kind;
  });
  expect(seen).toEqual(Object.keys(directiveTable));
});

test('reads no more directives than its limit from one text', () => {
  expect(parseDirectives('[[sandbox: fail]]'.repeat(directivesMax + 5))).toHaveLength(directivesMax);
});

test('reads any text', () => {
  const pieces = fc.constantFrom('[[sandbox:', ']]', '{', '}', '"', '\\', ' tool f ', 'fail', 'x');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      expect(Array.isArray(parseDirectives(parts.join('')))).toBe(true);
    }),
  );
});
