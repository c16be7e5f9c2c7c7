import { createFaultyStorage } from '@tollgate/testing/fakes';
import { expect, onTestFinished, test } from 'vitest';
import { openRawSocket } from './raw-socket.ts';
import { createOwnGateway, serveOwnGateway } from './served-gateway.ts';

const bodyBytesMax = 29_360_128;

const start = async (options: Parameters<typeof serveOwnGateway>[0] = {}) => {
  const own = await serveOwnGateway({ drainMs: 0, ...options });
  onTestFinished(() => own.server.close());
  return own;
};

type Own = Awaited<ReturnType<typeof start>>;

/** Everything that is kept of media: blobs, what announces them, files. */
const kept = ({ disk }: Pick<Own, 'disk'>) => [disk.blobs.size, disk.rows('pendingBlob').size, disk.rows('file').size];

const head = (key: string, ...headers: readonly string[]): string =>
  [
    'POST /api/v1/ai/files HTTP/1.1',
    'Host: gateway.test',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n');

const begun = '{"display_name":"a.txt","mime_type":"text/plain","data":"';
const letters = Buffer.alloc(300_000, 'words ').toString('base64');
const whole = `${begun}${letters}"}`;

const post = (own: Own, body: string) =>
  fetch(`${own.server.origin}/api/v1/ai/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
    body,
  });

const codeOf = async (response: Response): Promise<unknown> => {
  // Every error of the gateway has this form.
  const { error } = (await response.json()) as { readonly error: { readonly code: string } };
  return [response.status, error.code];
};

test('keeps one blob of a file and nothing else', async () => {
  const own = await start();
  expect((await post(own, whole)).status).toBe(201);
  expect(kept(own)).toEqual([1, 0, 1]);
});

test.each([
  ['is no JSON behind its data', `${begun}${letters}"`, [400, 'invalid_json']],
  ['ends within its data', `${begun}${letters}`, [400, 'invalid_json']],
  ['is not UTF-8 behind its data', `${begun}${letters}","x":"\ud800"}`, [422, 'unsupported_parameter']],
  ['has a line break in its data', `${begun}${letters}\n"}`, [400, 'invalid_json']],
  ['has data that is no base64', `${begun}${letters}*"}`, [422, 'invalid_request']],
  ['has data of another type', whole.replace('text/plain', 'image/png'), [422, 'unsupported_content']],
  ['has another field', `${begun}${letters}","purpose":"x"}`, [422, 'unsupported_parameter']],
  ['has its data twice', `${begun}${letters}","data":"***"}`, [422, 'invalid_request']],
  ['has data where none belongs', `{"data":"${letters}","mime_type":{"data":"${letters}"}}`, [422, 'invalid_request']],
])('leaves nothing of a body that %s', async (_, body, expected) => {
  const own = await start();
  expect(await codeOf(await post(own, body))).toEqual(expected);
  expect(kept(own)).toEqual([0, 0, 0]);
});

test('leaves nothing of a client that goes away in the middle of its data', async () => {
  const own = await start();
  const socket = await openRawSocket(own.server.origin);
  socket.write(head(own.key, `Content-Length: ${whole.length}`));
  socket.write(whole.slice(0, 200_000));
  await expect.poll(() => kept(own)[1]).toBe(1);
  socket.socket.destroy();
  const [answer] = await own.answered(1);
  expect(answer?.status).toBe(400);
  expect(kept(own)).toEqual([0, 0, 0]);
});

test('gives up a client that is too slow, and tells it', async () => {
  const own = await start({ limits: { bodyMs: 100 } });
  const socket = await openRawSocket(own.server.origin);
  socket.write(head(own.key, `Content-Length: ${whole.length}`));
  socket.write(whole.slice(0, 200_000));
  expect(await socket.received(/invalid_json/)).toMatch(/^HTTP\/1\.1 400 /);
  expect(kept(own)).toEqual([0, 0, 0]);
  socket.socket.destroy();
});

const framed = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

test('refuses a body in chunks as soon as it is too large, without its end [errors:status:413-body-too-large]', async () => {
  const own = await start();
  const socket = await openRawSocket(own.server.origin);
  socket.write(head(own.key, 'Transfer-Encoding: chunked'));
  const chunk = 'A'.repeat(1_048_576);
  socket.write(framed(begun));
  for (let sent = begun.length; sent <= bodyBytesMax; sent += chunk.length) socket.write(framed(chunk));
  expect(await socket.received(/body_too_large/)).toMatch(/^HTTP\/1\.1 413 /);
  expect(kept(own)).toEqual([0, 0, 0]);
  socket.socket.destroy();
});

test('reads no body of a caller that it does not know', async () => {
  const own = await start();
  const response = await fetch(`${own.server.origin}/api/v1/ai/files`, { method: 'POST', body: whole });
  expect(await codeOf(response)).toEqual([401, 'invalid_api_key']);
  expect(kept(own)).toEqual([0, 0, 0]);
});

test('answers 503 where the blob store fails, and goes on afterwards', async () => {
  let failing = true;
  const own = await createOwnGateway({
    between: (storage) =>
      createFaultyStorage(storage, {
        before: ({ target, name }) => ({
          kind: failing && target === 'blobs' && name === 'putStream' ? 'refused' : 'none',
        }),
      }),
  });
  onTestFinished(() => own.gateway.close({ drainMs: 0 }));
  const ask = () =>
    own.gateway.fetch(
      new Request('http://gateway.test/api/v1/ai/files', {
        method: 'POST',
        headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
        body: whole,
      }),
    );
  expect(await codeOf(await ask())).toEqual([503, 'service_unavailable']);
  expect(kept(own)).toEqual([0, 0, 0]);
  failing = false;
  expect((await ask()).status).toBe(201);
});
