import assert from 'node:assert/strict';
import { memoryStorage } from '@tollgate/storage-memory';
import { createGateway } from 'tollgate';

// #region cors
const gateway = await createGateway({
  storage: memoryStorage(),
  cors: { origins: ['https://app.example.com'], maxAgeSeconds: 3_600 },
});
// #endregion cors

const answer = await gateway.fetch(
  new Request('http://localhost/api/v1/ai/models', {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.com', 'access-control-request-method': 'GET' },
  }),
);
assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example.com');
await gateway.close();
