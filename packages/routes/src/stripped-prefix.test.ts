import { expect, test } from 'vitest';
import { createRouter } from './router.ts';
import { createPrefixWarning } from './stripped-prefix.ts';

const ignore = (): void => undefined;

const watched = (basePath: string) => {
  const warnings: (readonly [string, unknown])[] = [];
  const logger = {
    info: ignore,
    error: ignore,
    warn: (message: string, fields?: unknown) => warnings.push([message, fields]),
  };
  return { warnings, warn: createPrefixWarning({ basePath, logger }, createRouter()) };
};

test('tells the operator once that the prefix of the gateway was removed on the way, and what to do', () => {
  const { warnings, warn } = watched('/api/v1/ai');
  warn({ method: 'POST', path: '/chat/completions' });
  warn({ method: 'GET', path: '/models' });
  expect(warnings).toEqual([
    [
      'a request came without the base path /api/v1/ai: have the server or proxy pass on the whole path, or give createGateway the basePath that arrives',
      { code: 'base_path_missing', method: 'POST', path: '/chat/completions' },
    ],
  ]);
});

test('says nothing of paths that are unknown with and without the prefix, or lie below it', () => {
  const { warnings, warn } = watched('/api/v1/ai');
  for (const path of ['/', '/favicon.ico', '/wp-login.php', '/api/v1/ai/nothing', '/v1/chat/completions'])
    warn({ method: 'POST', path });
  expect(warnings).toEqual([]);
});
