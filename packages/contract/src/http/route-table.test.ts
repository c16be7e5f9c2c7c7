import { expect, test } from 'vitest';
import { errorTable } from './error-code.ts';
import { basePath, routes } from './route-table.ts';
import type { Route } from './route.ts';

const table: readonly Route[] = routes;

test('has the routes of this release below the prefix [versioning:prefix] [versioning:routes:table]', () => {
  expect(basePath).toBe('/api/v1/ai');
  expect(table.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /models',
    'GET /models/{model}',
    'POST /chat/completions',
    'POST /models/{model}:generateContent',
    'POST /models/{model}:streamGenerateContent',
    'POST /embeddings',
    'POST /files',
    'GET /files',
    'GET /files/{file_id}',
    'DELETE /files/{file_id}',
    'POST /caches',
    'GET /caches',
    'GET /caches/{id}',
    'DELETE /caches/{id}',
    'PATCH /caches/{id}',
    'POST /batches',
    'GET /batches',
    'GET /batches/{id}',
    'DELETE /batches/{id}',
    'POST /batches/{id}/cancel',
    'POST /videos',
    'GET /videos',
    'GET /videos/{id}',
    'DELETE /videos/{id}',
    'GET /videos/{id}/content',
    'POST /stores',
    'GET /stores',
    'GET /stores/{id}',
    'DELETE /stores/{id}',
    'POST /documents',
    'GET /documents',
    'GET /documents/{id}',
    'DELETE /documents/{id}',
    'POST /environments',
    'GET /environments',
    'GET /environments/{id}',
    'DELETE /environments/{id}',
    'GET /environments/{id}/files',
    'POST /interactions',
    'GET /interactions',
    'GET /interactions/{id}',
    'DELETE /interactions/{id}',
    'POST /interactions/{id}/cancel',
    'GET /interactions/{id}/content',
    'POST /agents',
    'GET /agents',
    'GET /agents/{id}',
    'DELETE /agents/{id}',
    'POST /live',
    'POST /webhooks',
    'GET /webhooks',
    'GET /webhooks/{id}',
    'PATCH /webhooks/{id}',
    'DELETE /webhooks/{id}',
    'GET /webhooks/{id}/deliveries',
    'POST /triggers',
    'GET /triggers',
    'GET /triggers/{id}',
    'PATCH /triggers/{id}',
    'DELETE /triggers/{id}',
    'GET /triggers/{id}/runs',
    'GET /account/balance',
    'GET /account/usage',
    'GET /account/limits',
    'GET /requests/{request_id}',
    'GET /openapi.json',
  ]);
  expect(new Set(table.map(({ id }) => id)).size).toBe(table.length);
});

test('documents exactly the statuses of a model query [models:get:statuses]', () => {
  const route = table.find(({ id }) => id === 'getModel');
  expect(route?.statuses).toEqual([200, 400, 401, 402, 403, 404, 409, 413, 422, 502, 503]);
});

test('answers errors as text on the model and request queries only [errors:format:string] [errors:format:object] [errors:format:other-routes-object]', () => {
  expect(table.filter(({ errorForm }) => errorForm === 'text').map(({ id }) => id)).toEqual([
    'listModels',
    'getModel',
    'getRequest',
  ]);
});

/** Every route that takes a body, with the most bytes of one. */
const bodyBytesMax = new Map([
  ['createChatCompletion', 2_000_000],
  ['generateContent', 20_971_520],
  ['streamGenerateContent', 20_971_520],
  ['createEmbeddings', 20_971_520],
  ['createFile', 29_360_128],
  ['createCache', 20_971_520],
  ['patchCache', 2_000_000],
  ['createBatch', 20_971_520],
  ['createVideo', 20_971_520],
  ['createStore', 2_000_000],
  ['createDocument', 2_000_000],
  ['createEnvironment', 20_971_520],
  ['createInteraction', 20_971_520],
  ['createAgent', 2_000_000],
  ['createLiveSession', 2_000_000],
  ['createWebhook', 2_000_000],
  ['patchWebhook', 2_000_000],
  ['createTrigger', 20_971_520],
  ['patchTrigger', 2_000_000],
]);

test('limits the chat body to 2,000,000 bytes and takes none on queries [chat:body:max-bytes]', () => {
  for (const { id, request, ...route } of table) {
    expect(route.bodyBytesMax, id).toBe(bodyBytesMax.get(id) ?? null);
    expect(request === null, id).toBe(route.bodyBytesMax === null);
  }
});

test('documents only statuses that a code or success can have', () => {
  const known = new Set([200, 201, 206, 304, ...Object.values(errorTable).map(({ status }) => status)]);
  for (const { id, statuses } of table) {
    expect(statuses[0], id).toBe(id === 'createFile' ? 201 : 200);
    for (const status of statuses) expect(known.has(status), `${id} ${status}`).toBe(true);
  }
});

test('has no route that makes or shows keys [auth:key:not-issued-here] [auth:key:binding-fixed]', () => {
  for (const { path } of table) expect(path).not.toMatch(/key|token|auth/i);
});
