import { expect, test } from 'vitest';
import { defaultLiveLimits } from '../live-limits.ts';
import { googleWire } from './google-wire.ts';
import type { AskedSession } from './live-wire.ts';

const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';

/** The key with which a session is asked for by a client that brings its setup at once. */
const keyOf = (headers: Readonly<Record<string, string>>, query = ''): unknown => {
  const asked: AskedSession[] = [];
  const wire = googleWire({
    relay: {
      limits: defaultLiveLimits,
      accept: (socket) => socket.onMessage(() => {}),
    },
    basePath: '/api/v1/ai',
    open: (session) => {
      asked.push(session);
      return Promise.resolve({ kind: 'refused', status: 401, message: 'no' });
    },
  });
  const accept = wire({ path, query, header: (name) => headers[name] ?? null });
  accept?.({
    origin: null,
    send: () => {},
    close: () => {},
    terminate: () => {},
    ping: () => {},
    bufferedBytes: () => 0,
    onMessage: (listener) => listener(Buffer.from('{"setup":{}}')),
    onPong: () => {},
    onClose: () => {},
  });
  return asked.map(({ key }) => key);
};

test('takes the key as a Bearer credential, in the header of these clients, or in the address', () => {
  expect(keyOf({ authorization: 'Bearer one', 'x-goog-api-key': 'two' }, 'key=three')).toEqual(['one']);
  expect(keyOf({ authorization: 'Basic one', 'x-goog-api-key': 'two' }, 'key=three')).toEqual(['two']);
  expect(keyOf({}, 'key=three')).toEqual(['three']);
  expect(keyOf({})).toEqual([null]);
});
