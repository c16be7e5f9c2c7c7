import { expect, test } from 'vitest';
import { unknownMethodDetail, unknownPathDetail } from './unknown-path.ts';

const base = '/api/v1/ai';
const detail = (method: string, path: string): string => unknownPathDetail(base, method, path);

test.each([
  ['POST', `${base}/chat/completion`, 'POST /api/v1/ai/chat/completions'],
  ['POST', '/v1/chat/completions', 'POST /api/v1/ai/chat/completions'],
  ['POST', '/openai/v1/chat/completions', 'POST /api/v1/ai/chat/completions'],
  ['POST', '/chat/completions', 'POST /api/v1/ai/chat/completions'],
  ['GET', `${base}/model`, 'GET /api/v1/ai/models'],
  ['POST', `${base}/embedding`, 'POST /api/v1/ai/embeddings'],
  ['POST', `${base}/models/flash-3.8:generateContents`, 'POST /api/v1/ai/models/{model}:generateContent'],
  ['GET', `${base}/request/01900000-0000-7000-8000-000000000000`, 'GET /api/v1/ai/requests/{request_id}'],
  ['DELETE', `${base}/file/abc`, 'DELETE /api/v1/ai/files/{file_id}'],
])('names the nearest of %s %s', (method, path, nearest) => {
  expect(detail(method, path)).toBe(
    `There is no path ${path}; the nearest is ${nearest}, and GET ${base}/openapi.json lists all.`,
  );
});

test('names none where none is near', () => {
  expect(detail('GET', '/wp-admin/setup-config.php')).toBe(
    `There is no path /wp-admin/setup-config.php; GET ${base}/openapi.json lists all.`,
  );
});

test('repeats no more of a path than can be read', () => {
  const shown = detail('GET', `/a\u0000é"\n${'x'.repeat(10_000)}`);
  expect(shown).toMatch(/^There is no path \/a\?\?"\?x+\.\.\.; /);
  expect(shown.length).toBeLessThan(300);
});

test('looks at a long path in a short time', () => {
  const path = `${'/a'.repeat(100_000)}${'b'.repeat(100_000)}`;
  for (let count = 0; count < 100; count += 1) expect(detail('GET', path).length).toBeLessThan(300);
});

test('names the methods that a path takes', () => {
  expect(unknownMethodDetail('PUT', `${base}/models`, 'GET')).toBe(
    'The path /api/v1/ai/models takes no PUT; accepted: GET.',
  );
});
