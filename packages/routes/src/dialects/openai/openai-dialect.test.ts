import { expect, test } from 'vitest';
import { isOpenaiClient } from './openai-dialect.ts';

const asked = (headers: Readonly<Record<string, string>>): boolean =>
  isOpenaiClient({ header: (name) => headers[name] ?? null });

test.each([
  { 'user-agent': 'OpenAI/JS 7.55.0' },
  { 'user-agent': 'AsyncOpenAI/Python 2.1.0' },
  { 'user-agent': 'langchainjs-openai/1.0.0', 'x-stainless-lang': 'js' },
])('knows the client with %j', (headers) => {
  expect(asked(headers)).toBe(true);
});

test.each([
  {},
  { 'user-agent': 'node' },
  { 'user-agent': 'curl/8 (not OpenAI/JS)' },
  { 'user-agent': 'Other/JS', 'x-stainless-lang': 'js', 'anthropic-version': '2023-06-01' },
])('takes the client with %j for another', (headers) => {
  expect(asked(headers)).toBe(false);
});
