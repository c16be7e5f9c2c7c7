import { s3Blobs } from '@tollgate/blobs-s3';
import { memoryLimits, postgresLimits } from '@tollgate/limits';
import { fetchListener, serve, toNodeListener } from '@tollgate/node';
import type { Provider } from '@tollgate/provider';
import { aiSdkProvider } from '@tollgate/provider-ai-sdk';
import { anthropicProvider } from '@tollgate/provider-anthropic';
import { googleProvider } from '@tollgate/provider-google';
import { openaiProvider } from '@tollgate/provider-openai';
import {
  balance,
  byModel,
  withCircuitBreaker,
  withConcurrency,
  withFallback,
  withRetry,
} from '@tollgate/provider-routing';
import { sandboxProvider } from '@tollgate/provider-sandbox';
import { cells } from '@tollgate/storage-cells';
import { memoryStorage } from '@tollgate/storage-memory';
import { mysqlStorage } from '@tollgate/storage-mysql';
import { migratePostgres, postgresStorage } from '@tollgate/storage-postgres';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { stripePayments } from '@tollgate/stripe';
import { pdfText } from '@tollgate/pdf';
import { braveSearch, codeExecution, googlePlaces, maps, mcpServer, urlContext, webSearch } from '@tollgate/tools';
import { expect, test } from 'vitest';

const stripeOptions = { stripe: {}, gateway: {}, packs: {}, webhookSecret: 'whsec_very-secret', live: false };

/** A factory as plain JavaScript calls it. */
type Factory = (options: unknown) => unknown;

// What the types forbid is what these tests are about.
const untyped = (factory: (...given: never[]) => unknown, ...before: readonly unknown[]): Factory => {
  const call = factory as (...given: readonly unknown[]) => unknown;
  return (options) => call(...before, options);
};

const refusalOf = async (factory: Factory, options: unknown): Promise<unknown> => {
  try {
    await factory(options);
  } catch (error) {
    return error;
  }
  return undefined;
};

const provider: Provider = { name: 'own', generate: () => Promise.reject(new Error('not asked')) };
const gateway = {
  handle: () => Promise.reject(new Error('not asked')),
  jobs: { start: () => {} },
  close: async () => {},
};
const s3 = { endpoint: 'http://127.0.0.1:9', bucket: 'blobs', accessKeyId: 'id', secretAccessKey: 'very-secret' };
const connectionString = 'postgres://postgres:very-secret@127.0.0.1:1/none';
const mysqlAddress = 'mysql://user:very-secret@127.0.0.1:1/database';

test.each<[string, Factory, object, string]>([
  ['openaiProvider', untyped(openaiProvider), { baseUrl: 'http://127.0.0.1:9', timoutMs: 1 }, 'timeoutMs'],
  [
    'openaiProvider',
    untyped(openaiProvider),
    { baseUrl: 'http://127.0.0.1:9', retry: { atemptsMax: 1 } },
    'attemptsMax',
  ],
  ['googleProvider', untyped(googleProvider), { apiKey: 'very-secret', baseURL: 'http://127.0.0.1:9' }, 'baseUrl'],
  [
    'googleProvider',
    untyped(googleProvider),
    { apiKey: 'very-secret', limits: { modelRoundMax: 1 } },
    'modelRoundsMax',
  ],
  [
    'anthropicProvider',
    untyped(anthropicProvider),
    { apiKey: 'very-secret', limits: { modelRoundMax: 1 } },
    'modelRoundsMax',
  ],
  ['aiSdkProvider', untyped(aiSdkProvider), { languageModl: () => null }, 'languageModel'],
  ['sandboxProvider', untyped(sandboxProvider), { batchs: true }, 'batches'],
  ['withFallback', untyped(withFallback, [provider]), { nmae: 'a' }, 'name'],
  ['balance', untyped(balance, [{ provider }]), { falback: true }, 'fallback'],
  ['withRetry', untyped(withRetry, provider), { atemptsMax: 1 }, 'attemptsMax'],
  ['withCircuitBreaker', untyped(withCircuitBreaker, provider), { failureMax: 1 }, 'failuresMax'],
  ['withConcurrency', untyped(withConcurrency, provider), { inFlightMax: 1, waitngMax: 1 }, 'waitingMax'],
  ['byModel', untyped(byModel, { a: provider }), { nmae: 'a' }, 'name'],
  ['memoryStorage', untyped(memoryStorage), { shedule: () => {} }, 'schedule'],
  ['cells', untyped(cells), { cells: { a: memoryStorage() }, acounts: {} }, 'accounts'],
  ['sqliteStorage', untyped(sqliteStorage), { path: ':memory:', synchronus: 'full' }, 'synchronous'],
  ['mysqlStorage', untyped(mysqlStorage), { connectionString: mysqlAddress, retryMax: 1 }, 'retriesMax'],
  ['postgresStorage', untyped(postgresStorage), { connectionString, shema: 'a' }, 'schema'],
  ['migratePostgres', untyped(migratePostgres), { connectionString, shema: 'a' }, 'schema'],
  ['s3Blobs', untyped(s3Blobs), { ...s3, pathstyle: true }, 'pathStyle'],
  ['stripePayments', untyped(stripePayments), { ...stripeOptions, toleranceSecond: 1 }, 'toleranceSeconds'],
  ['memoryLimits', untyped(memoryLimits), { bucketMax: 1 }, 'bucketsMax'],
  ['postgresLimits', untyped(postgresLimits), { connectionString, leasMs: 1_000 }, 'leaseMs'],
  ['serve', untyped(serve, gateway), { prot: 1 }, 'port'],
  ['serve', untyped(serve, gateway), { limits: { bodyMS: 1 } }, 'bodyMs'],
  ['toNodeListener', untyped(toNodeListener, gateway.handle), { answrMs: 1 }, 'answerMs'],
  ['fetchListener', untyped(fetchListener, () => new Response()), { orign: 'https://a' }, 'origin'],
  ['mcpServer', untyped(mcpServer), { limits: { toolMax: 1 } }, 'toolsMax'],
  ['urlContext', untyped(urlContext), { urlMax: 1 }, 'urlsMax'],
  ['codeExecution', untyped(codeExecution), { runMS: 1 }, 'runMs'],
  ['webSearch', untyped(webSearch, { search: () => {} }), { pageMax: 1 }, 'pagesMax'],
  ['maps', untyped(maps, { find: () => {} }), { placeMax: 1 }, 'placesMax'],
  ['braveSearch', untyped(braveSearch), { apiKey: 'very-secret', contry: 'br' }, 'country'],
  ['googlePlaces', untyped(googlePlaces), { apiKey: 'very-secret', radiusMeters: 1 }, 'radiusMetres'],
  ['pdfText', untyped(pdfText), { pageMax: 1 }, 'pagesMax'],
])(
  '%s refuses an option that it does not know, and names the nearest (%#)',
  async (name, factory, options, nearest) => {
    const error = await refusalOf(factory, options);
    expect(error).toMatchObject({ code: 'configuration_invalid', faults: [{ message: expect.any(String) }] });
    expect(String(error)).toMatch(new RegExp(`${name}: \\S+ is not known; .*${nearest}`));
    expect(String(error)).not.toContain('very-secret');
  },
);

test.each<[string, Factory, unknown, string]>([
  ['openaiProvider', untyped(openaiProvider), {}, 'baseUrl is missing'],
  ['openaiProvider', untyped(openaiProvider), { baseUrl: 'api.example.com' }, 'is an absolute address'],
  ['googleProvider', untyped(googleProvider), { apiKey: '' }, 'apiKey is empty'],
  [
    'googleProvider',
    untyped(googleProvider),
    { apiKey: 'a', limits: { uploadChunkBytes: 1_000 } },
    'a multiple of 262144',
  ],
  ...['very-secret\n', ' very-secret', 'very\u0000secret'].flatMap((apiKey): [string, Factory, unknown, string][] => [
    [
      'openaiProvider',
      untyped(openaiProvider),
      { baseUrl: 'http://127.0.0.1:9', apiKey },
      'without control characters',
    ],
    ['googleProvider', untyped(googleProvider), { apiKey }, 'without control characters'],
  ]),
  [
    'openaiProvider',
    untyped(openaiProvider),
    { baseUrl: 'http://127.0.0.1:9', headers: { 'api-key': 'very-secret\n' } },
    "headers['api-key'] is a text of 12 characters; accepted is a text, without control characters",
  ],
  ['withConcurrency', untyped(withConcurrency, provider), {}, 'inFlightMax is missing'],
  ['withFallback', untyped(withFallback, [provider, 'openai']), {}, 'providers[1] is of the type string'],
  ['sqliteStorage', untyped(sqliteStorage), {}, 'path is missing'],
  ['mysqlStorage', untyped(mysqlStorage), {}, 'connectionString'],
  ['postgresStorage', untyped(postgresStorage), {}, 'connectionString is missing; accepted is one of'],
  ['postgresStorage', untyped(postgresStorage), { connectionString, batchConnections: 0 }, 'batchConnections is 0'],
  ['s3Blobs', untyped(s3Blobs), { ...s3, bucket: '..' }, 'bucket is the text ".."'],
  ['serve', untyped(serve, gateway), { port: '8787' }, 'port is the text "8787"; accepted is a whole number from 0'],
  ['serve', untyped(serve, {}), {}, 'gateway has no function handle; accepted is an object with the functions'],
  ['serve', untyped(serve, undefined), {}, 'gateway is missing'],
  ['serve', untyped(serve, Promise.resolve(gateway)), {}, 'gateway is a promise; await it'],
  ['serve', untyped(serve, { ...gateway, jobs: undefined }), {}, 'gateway.jobs is missing'],
  ['sandboxProvider', untyped(sandboxProvider), null, 'is null; accepted is an object'],
])('%s refuses what it cannot work with (%#)', async (name, factory, options, what) => {
  const error = await refusalOf(factory, options);
  expect(error).toMatchObject({ code: 'configuration_invalid' });
  expect(String(error)).toContain(`${name}: `);
  expect(String(error)).toContain(what);
  expect(String(error)).not.toMatch(/very.?secret/);
});
