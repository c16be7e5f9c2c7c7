import { plainCall } from '@tollgate/testing/provider';
import type { GenerationCall, WebSearchTool } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { parseDirectives } from './directives.ts';
import { sandboxReply } from './sandbox-reply.ts';

const searching = (tool: Omit<WebSearchTool, 'kind'> = {}, more: Partial<GenerationCall> = {}): GenerationCall => ({
  ...plainCall,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Who won? [[sandbox: echo They won.]]' }] }],
  tools: [{ kind: 'web_search', ...tool }],
  ...more,
});
const reply = (call: GenerationCall) =>
  sandboxReply(call, parseDirectives('Who won? [[sandbox: echo They won.]]', 'generation'));
const urlsOf = (call: GenerationCall) =>
  reply(call).parts.flatMap((part) => (part.kind === 'text' ? (part.annotations ?? []).map(({ url }) => url) : []));

test('searches where it may, cites its pages for the whole text, and meters the search', () => {
  const { parts, usage, annotations } = reply(searching());
  const [text] = parts;
  expect(text).toMatchObject({
    text: 'They won.',
    annotations: [
      { url: 'https://example.com/who-won', title: 'Who won? – example.com', start_index: 0, end_index: 9 },
      {},
      {},
    ],
  });
  expect(usage).toContainEqual({ unit: 'web_search_queries', quantity: 1, confirmed: true });
  expect(annotations).toMatchObject({ groundingMetadata: { webSearchQueries: ['Who won?'] } });
});

test('finds pages in the domains that may be cited alone', () => {
  expect(
    urlsOf(searching({ allowedDomains: ['news.test', 'a.example.com'], blockedDomains: ['example.com'] })),
  ).toEqual(['https://news.test/who-won']);
  expect(urlsOf(searching({ blockedDomains: ['example.org', 'example.net'] }))).toEqual([
    'https://example.com/who-won',
  ]);
});

test('does not search where no tool may be used', () => {
  for (const call of [searching({}, { toolChoice: { kind: 'none' } }), searching({}, { tools: [] })]) {
    expect(urlsOf(call)).toEqual([]);
    expect(reply(call).usage.map(({ unit }) => unit)).not.toContain('web_search_queries');
  }
});
