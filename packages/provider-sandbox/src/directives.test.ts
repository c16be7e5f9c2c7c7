import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { directiveTable, type DirectivePlace } from './directive-table.ts';
import { directivesMax, parseDirectives, withoutDirectives } from './directives.ts';

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
  ['tier flex', { kind: 'tier', served: 'flex' }],
  ['tier none', { kind: 'tier', served: null }],
  ['hang', { kind: 'hang', ms: null }],
  ['hang 2000', { kind: 'hang', ms: 2_000 }],
  ['slow 999999', { kind: 'slow', ms: 600_000 }],
  ['rate-limited', { kind: 'rate-limited', retryAfterMs: 1_000 }],
  ['rate-limited 3', { kind: 'rate-limited', retryAfterMs: 3_000 }],
  ['echo  two  words ', { kind: 'echo', text: 'two  words' }],
  ['tokens image=1 url_fetches=2', { kind: 'tokens', counts: { image: 1, url_fetches: 2 } }],
  ['code', { kind: 'code', code: 'print(6 * 7)' }],
  ['code a = 2\nprint(a)', { kind: 'code', code: 'a = 2\nprint(a)' }],
  ['stream 5', { kind: 'stream', pieces: 5, pauseMs: 0 }],
  ['stream 5 20', { kind: 'stream', pieces: 5, pauseMs: 20 }],
  ['cut 0', { kind: 'cut', pieces: 0 }],
  ['finish IMAGE_SAFETY', { kind: 'finish', reason: 'IMAGE_SAFETY' }],
  ['block', { kind: 'block', reason: 'SAFETY' }],
  ['block BLOCKLIST', { kind: 'block', reason: 'BLOCKLIST' }],
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
  'tokens in=1 input_text_tokens=1',
  'tokens teaspoons=1',
  'code import os',
  'tier',
  'tier soon',
  'stream 0',
  'stream 5 soon',
  'cut',
  'finish',
  'finish TIRED',
  'block TIRED',
  'json [1]',
  'tool f {"a":',
  'tool',
])('tells that "%s" is misspelt', (body) => {
  expect(parseDirectives(`[[sandbox: ${body}]]`)).toMatchObject([{ kind: 'misspelt' }]);
});

const examples: { readonly [name: string]: string } = {
  echo: 'echo a',
  json: 'json {}',
  tool: 'tool f',
  stream: 'stream 3',
  cut: 'cut 1',
  finish: 'finish RECITATION',
  tokens: 'tokens in=1',
  tier: 'tier flex',
  slow: 'slow 1',
  processing: 'processing 1',
  polls: 'polls 1',
};

test('knows every directive of its table, where the table says', () => {
  for (const [name, row] of Object.entries(directiveTable)) {
    const places: readonly DirectivePlace[] = row.places;
    for (const place of ['generation', 'embedding', 'file', 'video', 'interaction', 'batch', 'cache'] as const) {
      const [directive] = parseDirectives(`[[sandbox: ${examples[name] ?? name}]]`, place);
      expect([name, place, directive?.kind]).toEqual([name, place, places.includes(place) ? name : 'misspelt']);
    }
  }
});

test('leaves a text without its directives', () => {
  expect(withoutDirectives('Read [[sandbox: tokens audio=7]]this[[sandbox: json {"a":"]]"}]].')).toBe('Read this.');
  expect(withoutDirectives(' [[sandbox: fail]] ')).toBe('');
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
