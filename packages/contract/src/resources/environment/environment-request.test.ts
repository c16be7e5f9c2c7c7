import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEnvironmentNetwork, shownNetwork } from './environment-network.ts';
import { clashAmong, foldersAbove, isEnvironmentPath } from './environment-path.ts';
import { parseEnvironmentRequest } from './environment-request.ts';
import { environmentBounds } from '../../limits.ts';

const source = (target: string, content = 'x') => ({ type: 'inline', target, content });

const refusal = (body: unknown): unknown => {
  try {
    parseEnvironmentRequest(body);
  } catch (cause) {
    return cause;
  }
  return null;
};

const invalid = { code: 'invalid_request' };
const unsupported = { code: 'unsupported_parameter' };

test('reads nothing but optional fields [environments:body:fields]', () => {
  expect(parseEnvironmentRequest({})).toEqual({ displayName: null, sources: [], network: null });
  expect(parseEnvironmentRequest({ display_name: 'Lab', sources: [], network: 'disabled' })).toEqual({
    displayName: 'Lab',
    sources: [],
    network: { kind: 'disabled' },
  });
});

test.each([
  [{ timeout: 1 }, unsupported],
  [{ from_environment: 'e' }, unsupported],
  [[], invalid],
  [null, invalid],
  ['{}', invalid],
  [{ display_name: '' }, invalid],
  [{ display_name: 7 }, invalid],
  [{ sources: {} }, invalid],
  [{ sources: null }, invalid],
  [{ sources: Array.from({ length: 1_001 }, () => null) }, invalid],
])('refuses %j [environments:body:fields]', (body, error) => {
  expect(refusal(body)).toMatchObject(error);
});

test('decodes sources, text and base64 [environments:body:source-inline-only]', () => {
  const { sources } = parseEnvironmentRequest({
    sources: [
      source('a.txt', 'é'),
      { ...source('b/c.bin', '/+8='), encoding: 'base64' },
      source('empty', ''),
      { ...source('none', ''), encoding: 'base64' },
    ],
  });
  expect(sources.map(({ path, bytes }) => [path, Buffer.from(bytes).toString('hex')])).toEqual([
    ['a.txt', 'c3a9'],
    ['b/c.bin', 'ffef'],
    ['empty', ''],
    ['none', ''],
  ]);
});

test.each([
  { type: 'gcs', source: 'gs://b' },
  { type: 'repository', source: 'https://git' },
  { type: 'skill_registry' },
  { type: 'credential' },
  { type: 'from_environment' },
  { ...source('a'), encoding: 'hex' },
  { ...source('a', '***'), encoding: 'base64' },
  { ...source('a', 'data:text/plain;base64,YQ=='), encoding: 'base64' },
  source('a', '\ud800'),
  { type: 'inline', target: 'a' },
  { type: 'inline', content: 'a' },
  { target: 'a', content: 'a' },
  null,
])('refuses the source %j [environments:body:source-inline-only]', (one) => {
  expect(refusal({ sources: [one] })).toMatchObject(invalid);
});

test('refuses other fields of a source', () => {
  expect(refusal({ sources: [{ ...source('a'), mode: 7 }] })).toMatchObject(unsupported);
});

test('takes a source of 76,800 bytes and not one more [environments:body:source-size] [limits:units:binary]', () => {
  const body = (bytes: number, encoding?: 'base64') => {
    const text = 'a'.repeat(bytes);
    return {
      sources: [
        encoding === undefined ? source('a', text) : { ...source('a', Buffer.from(text).toString('base64')), encoding },
      ],
    };
  };
  for (const encoding of [undefined, 'base64'] as const) {
    expect(refusal(body(76_800, encoding))).toBeNull();
    expect(refusal(body(76_801, encoding))).toMatchObject(invalid);
  }
  expect(refusal({ sources: [source('a', 'é'.repeat(38_401))] })).toMatchObject(invalid);
});

test.each(['a', 'a/b.txt', '.hidden', 'a..b', '...', 'a b', 'ü/ß'])('takes the target %j', (target) => {
  expect(refusal({ sources: [source(target)] })).toBeNull();
});

test.each([
  '',
  '/a',
  '../a',
  'a/../b',
  '..',
  '.',
  './a',
  'a//b',
  'a/',
  'a\u0000',
  'a\nb',
  'a\\b',
  '\ud800',
  'x'.repeat(256),
  'x/'.repeat(32) + 'x',
  `${'x'.repeat(200)}/`.repeat(6) + 'x',
])('refuses the target %j [environments:body:source-target]', (target) => {
  expect(refusal({ sources: [source(target)] })).toMatchObject(invalid);
});

test.each([
  ['a', 'a'],
  ['a', 'a/b'],
  ['a/b/c', 'x', 'a'],
])('refuses targets that make no tree: %j [environments:body:source-target]', (...targets) => {
  expect(refusal({ sources: targets.map((target) => source(target)) })).toMatchObject(invalid);
});

test('tells the folders above a path', () => {
  expect(foldersAbove('a/b/c')).toEqual(['a', 'a/b']);
  expect(foldersAbove('a')).toEqual([]);
});

test('a path that is taken stays below its root, and paths without a clash make a tree', () => {
  const segment = fc.stringMatching(/^[a-c.]{1,3}$/);
  const paths = fc.array(fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')));
  fc.assert(
    fc.property(paths, (all) => {
      const taken = all.filter(isEnvironmentPath);
      for (const path of taken) expect(new URL(path, 'http://root/tree/').pathname).toBe(`/tree/${path}`);
      const folders = new Set(taken.flatMap(foldersAbove));
      const isTree = new Set(taken).size === taken.length && taken.every((path) => !folders.has(path));
      expect(clashAmong(taken) === null).toBe(isTree);
    }),
  );
});

test('reads an allowlist and shows it without its secrets [environments:body:network-allowlist] [environments:body:network-transform-secret]', () => {
  const network = parseEnvironmentNetwork({
    allowlist: [{ domain: 'API.Example.com', transform: { Authorization: 'Bearer secret' } }, { domain: '*.b.org' }],
  });
  expect(network).toEqual({
    kind: 'allowlist',
    rules: [
      { domain: 'api.example.com', headers: { Authorization: 'Bearer secret' } },
      { domain: '*.b.org', headers: {} },
    ],
  });
  expect(shownNetwork(network)).toEqual({
    allowlist: [{ domain: 'api.example.com', transform: { Authorization: '***' } }, { domain: '*.b.org' }],
  });
  expect(shownNetwork(parseEnvironmentNetwork('disabled'))).toBe('disabled');
  expect(shownNetwork(parseEnvironmentNetwork({ allowlist: [] }))).toEqual({ allowlist: [] });
});

const allow = (entry: unknown) => ({ network: { allowlist: [entry] } });

test.each([
  { network: 'open' },
  { network: null },
  { network: {} },
  { network: [] },
  { network: { allowlist: 'a.com' } },
  { network: { allowlist: Array.from({ length: environmentBounds.allowedDomainsMax + 1 }, () => ({ domain: '*' })) } },
  allow('a.com'),
  allow({}),
  allow({ domain: '' }),
  allow({ domain: 'localhost' }),
  allow({ domain: '10.0.0.1' }),
  allow({ domain: 'https://a.com' }),
  allow({ domain: 'a.com:443' }),
  allow({ domain: 'a.*.com' }),
  allow({ domain: '*.' }),
  allow({ domain: 'a.com', transform: [] }),
  allow({ domain: 'a.com', transform: { 'x y': 'z' } }),
  allow({ domain: 'a.com', transform: { Host: 'b.com' } }),
  allow({ domain: 'a.com', transform: { 'Content-Length': '1' } }),
  allow({ domain: 'a.com', transform: { x: 'a\r\nb' } }),
  allow({ domain: 'a.com', transform: { x: 7 } }),
])('refuses the network of %j [environments:body:network-allowlist]', (body) => {
  expect(refusal(body)).toMatchObject(invalid);
});

test('refuses credentials in an allowlist', () => {
  expect(refusal(allow({ domain: 'a.com', credential: 'c' }))).toMatchObject(unsupported);
  expect(refusal({ network: { allowlist: [], denylist: [] } })).toMatchObject(unsupported);
});
