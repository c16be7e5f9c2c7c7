import type { Storage } from '@tollgate/storage';
import { expect, onTestFinished, test } from 'vitest';
import { createOwnGateway, greeting } from './served-gateway.ts';

/** A storage that can be switched off. */
const switchable = () => {
  let failure: Error | null = null;
  const guarded = (storage: Storage): Storage => ({
    ...storage,
    transact: (keys, decide) => (failure === null ? storage.transact(keys, decide) : Promise.reject(failure)),
    read: (keys) => (failure === null ? storage.read(keys) : Promise.reject(failure)),
  });
  return {
    between: guarded,
    fail: (error: Error | null): void => {
      failure = error;
    },
  };
};

test('answers 503 while its storage is down, without a word of why, and goes on after [errors:status:503-service-unavailable]', async () => {
  const { between, fail } = switchable();
  const own = await createOwnGateway({ between });
  onTestFinished(() => own.gateway.close({ drainMs: 0 }));
  const ask = (path: string, body?: string): Promise<Response> =>
    own.gateway.fetch(
      new Request(`http://gateway.test/api/v1/ai${path}`, {
        headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body }),
      }),
    );
  fail(new Error('connect ECONNREFUSED db.internal:5432'));
  const chat = await ask('/chat/completions', greeting);
  expect(chat.status).toBe(503);
  const text = await chat.text();
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'service_unavailable' } });
  expect(text).not.toContain('db.internal');
  expect((await ask('/models')).status).toBe(503);
  expect(own.logged()).toContain('db.internal');
  expect(own.provider.calls.length).toBe(0);
  fail(null);
  expect((await ask('/chat/completions', greeting)).status).toBe(200);
});
