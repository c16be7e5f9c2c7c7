import { expect, test } from 'vitest';
import { parseAgentRequest } from '../resources/interaction/agent-request.ts';
import { parseBatchRequest } from '../resources/batch/batch-request.ts';
import { parseCacheRequest } from '../resources/cache/cache-request.ts';
import { parseEnvironmentRequest } from '../resources/environment/environment-request.ts';
import { parseFileUpload, toDisplayName } from '../files/file-upload.ts';
import { isKeptText } from './kept-text.ts';
import { parseStoreRequest } from '../resources/store/store-request.ts';
import { parseTriggerRequest } from '../triggers/trigger-request.ts';

const policy = { googleCompat: false, snakeCase: false, compat: false };
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const request = { contents };
const parsers: Readonly<Record<string, (name: string) => unknown>> = {
  agent: (display_name) => parseAgentRequest({ display_name }),
  batch: (display_name) => parseBatchRequest({ display_name, requests: [{ key: 'a', request }] }, 'generation', policy),
  'item of a batch': (key) => parseBatchRequest({ requests: [{ key, request }] }, 'generation', policy),
  cache: (display_name) => parseCacheRequest({ display_name, ttl_seconds: 1, contents }, policy),
  environment: (display_name) => parseEnvironmentRequest({ display_name }),
  file: (display_name) => parseFileUpload({ display_name, mime_type: 'text/plain', data: 'YQ==' }),
  store: (display_name) => parseStoreRequest({ display_name }),
  trigger: (display_name) => parseTriggerRequest({ display_name, schedule: '0 0 * * *', interaction: { input: 'Hi' } }),
};

test.each(Object.entries(parsers))(
  'refuses a name of one %s that not every storage can keep [errors:code:invalid-request]',
  (_, parse) => {
    for (const name of ['\0', 'a\0b', '\u{d800}', 'a\u{dc00}'])
      expect(() => parse(name)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    for (const name of ['a', '\u{1}\u{7f}', '\u{1f6f0}', '\u{ffff}']) expect(() => parse(name)).not.toThrow();
  },
);

test('makes the name of a file that a form brings one that every storage can keep', () => {
  for (const name of ['a\0b.pdf', '\u{d800}.pdf', '\0']) expect(isKeptText(toDisplayName(name))).toBe(true);
  expect(toDisplayName('a\0b.pdf')).toBe('a\u{fffd}b.pdf');
});
