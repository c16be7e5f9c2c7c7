import { memoryStorage } from '@tollgate/storage-memory';
import { expect, onTestFinished, test } from 'vitest';
import { boundModel, startGateway } from '../clients/running-gateway.ts';

test('deletes the media of a field that its body repeats, before the batch of a file is opened', async () => {
  const storage = memoryStorage();
  const stored: string[] = [];
  const deleted: string[] = [];
  const blobs: typeof storage.blobs = {
    ...storage.blobs,
    putStream: (key, chunks) => {
      stored.push(key);
      return storage.blobs.putStream(key, chunks);
    },
    delete: (key) => {
      deleted.push(key);
      return storage.blobs.delete(key);
    },
  };
  const running = await startGateway({ options: { storage: { ...storage, blobs }, compatibility: { google: true } } });
  onTestFinished(() => running.close());
  const inlineData = { mimeType: 'image/png', data: Buffer.alloc(300_000, 7).toString('base64') };
  const requests = JSON.stringify({ requests: [{ request: { contents: [{ parts: [{ inlineData }] }] } }] });
  const fileName = 'files/01900000-0000-7000-8000-000000000000';
  const answer = await fetch(`${running.baseUrl}/v1beta/models/${boundModel}:batchGenerateContent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.key}`, 'content-type': 'application/json' },
    body: `{"batch":{"inputConfig":{"requests":${requests}},"inputConfig":{"fileName":"${fileName}"}}}`,
  });
  expect([answer.status, stored.length]).toEqual([404, 1]);
  expect(deleted).toEqual(stored);
});
