import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createOwnGateway } from './served-gateway.ts';

test('refuses remote addresses in messages and asks none of them [chat:part:image-remote-refused] [chat:part:file-url-refused]', async () => {
  let asked = 0;
  const elsewhere = createServer((_request, response) => {
    asked += 1;
    response.end('a picture');
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const own = await createOwnGateway();
  onTestFinished(async () => {
    await own.gateway.close({ drainMs: 0 });
    elsewhere.close();
  });
  const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/a.png`;
  const parts: readonly (readonly [object, string])[] = [
    [{ type: 'image_url', image_url: { url: address } }, 'invalid_image'],
    [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }, 'invalid_image'],
    [{ type: 'file', file: { file_url: address } }, 'unsupported_content'],
    [{ type: 'file', file: { file_id: address } }, 'unsupported_content'],
    [{ type: 'file', file: { file_data: address } }, 'unsupported_content'],
    [{ type: 'input_audio', input_audio: { data: address, format: 'wav' } }, 'unsupported_content'],
  ];
  for (const [part, code] of parts) {
    const answer = await own.gateway.fetch(
      new Request('http://gateway.test/api/v1/ai/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: [part] }] }),
      }),
    );
    expect([answer.status, await answer.json()]).toMatchObject([422, { error: { code } }]);
  }
  expect(asked).toBe(0);
  expect(own.provider.calls.length).toBe(0);
});
