import { readFileSync } from 'node:fs';
import { defaultCatalog, limits, mediaTypes, routes } from '@tollgate/contract';
import type { DeliveryRecord, FileRecord, OccurrenceRecord } from '@tollgate/storage';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorTable } from '../packages/contract/src/http/error-code.ts';
import { usageUnits } from '../packages/provider/src/index.ts';
import { environmentBounds } from '../packages/contract/src/limits.ts';
import { listBytesMax } from '../packages/engine/src/operations/list-within.ts';
import { usageBody } from '../packages/routes/src/account/account-usage.ts';
import { encodeEntry } from '../packages/routes/src/environments/list-environment-files.ts';
import { fileBody } from '../packages/routes/src/files/encode-file.ts';
import type { Service } from '../packages/routes/src/service.ts';
import { runBody } from '../packages/routes/src/triggers/encode-trigger.ts';
import { deliveryBody } from '../packages/routes/src/webhooks/encode-webhook.ts';

/** Lists that end where their records come to `listBytesMax`: they are read by `listWithin`. */
const endAtBytes: ReadonlySet<string> = new Set([
  'listCaches',
  'listBatches',
  'listVideos',
  'listStores',
  'listDocuments',
  'listEnvironments',
  'listInteractions',
  'listAgents',
  'listWebhooks',
  'listTriggers',
]);

const uuid = '00000000-0000-7000-8000-000000000000';
const lateMs = 8_000_000_000_000;
/** Written by JSON with six bytes for each. */
const controls = (chars: number): string => '\u0001'.repeat(chars);
const longest = (texts: Iterable<string>): string =>
  [...texts].reduce((one, other) => (other.length > one.length ? other : one), '');
const longestCode = longest(Object.keys(errorTable));
const longestType = longest(mediaTypes.keys());

// What is encoded, and no more: a record has further members.
const file = {
  id: uuid,
  displayName: controls(512),
  mimeType: longestType,
  sizeBytes: Number.MAX_SAFE_INTEGER,
  sha256: 'f'.repeat(64),
  status: 'processing',
  createdAtMs: lateMs,
  updatedAtMs: lateMs,
  expiresAtMs: lateMs,
  errorCode: longestCode,
} as FileRecord;

const delivery = {
  id: `${uuid}:${uuid}`,
  operationId: uuid,
  eventType: 'request.completed',
  status: 'delivered',
  attempts: Number.MAX_SAFE_INTEGER,
  httpStatus: 599,
  createdAtMs: lateMs,
} as DeliveryRecord;

const run = {
  id: `${uuid}:${lateMs}`,
  triggerId: uuid,
  operationId: uuid,
  scheduledForMs: lateMs,
  startedAtMs: lateMs,
  finishedAtMs: lateMs,
  status: 'processing',
  errorCode: longestCode,
  createdAtMs: lateMs,
} as OccurrenceRecord;

const withOpenAi = { compatibility: { openai: true } } as unknown as Service;

/** Of the characters that a path may have, JSON writes the quotation mark longest. */
const quotes = (bytes: number): string => '"'.repeat(bytes);

/** Lists whose hundred largest records are shorter than `listBytesMax`, with the largest record of each. */
const boundByConstruction: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['listFiles', fileBody(withOpenAi, file, undefined)],
  ['listDeliveries', deliveryBody(delivery)],
  ['listTriggerRuns', runBody(run)],
  [
    'getAccountUsage',
    usageBody({
      fromMs: lateMs,
      untilMs: lateMs,
      model: controls(128),
      keyId: uuid,
      projectId: uuid,
      requests: Number.MAX_SAFE_INTEGER,
      chargedMicros: 9_223_372_036_854_775_807n,
      correctedMicros: -9_223_372_036_854_775_807n,
      units: Object.fromEntries(usageUnits.map((unit) => [unit, Number.MAX_SAFE_INTEGER])),
    }),
  ],
  [
    'listEnvironmentFiles',
    encodeEntry({
      name: quotes(environmentBounds.segmentBytesMax),
      path: quotes(environmentBounds.pathBytesMax),
      type: 'directory',
      sizeBytes: Number.MAX_SAFE_INTEGER,
      mimeType: longestType,
      createdAtMs: lateMs,
      modifiedAtMs: lateMs,
    }),
  ],
]);

/** Lists that show what the host configures, to which no client adds. */
const configured: ReadonlySet<string> = new Set(['listModels']);

/** Whether a route returns a list, by its schema: an object with the member `data`, an array. */
const isList = ({ success }: (typeof routes)[number]): boolean => {
  const [schema] = Object.entries<(brand: string) => z.ZodType>(success.contents).flatMap(([type, build]) =>
    type === 'application/json' ? [z.toJSONSchema(build('service'), { unrepresentable: 'any' })] : [],
  );
  const data = schema?.properties?.['data'];
  return typeof data === 'object' && data.type === 'array';
};

const lists = routes.filter((route) => route.method === 'GET' && isList(route));

describe('every list', () => {
  test.each(lists.map(({ id, path }) => [id, path] as const))('is bounded in bytes, and documented: %s', (id, path) => {
    const groups = [endAtBytes.has(id), boundByConstruction.has(id), configured.has(id)];
    expect(groups.filter(Boolean)).toHaveLength(1);
    const page = readFileSync(new URL('../docs/concepts/quotas.md', import.meta.url), 'utf8');
    expect(page.split('\n## Lists\n')[1]).toContain(`\`GET ${path}\``);
  });

  test('is found in the route table', () => {
    const known = [...endAtBytes, ...boundByConstruction.keys(), ...configured];
    expect(lists.map(({ id }) => id).toSorted()).toEqual(known.toSorted());
  });

  test.each([...boundByConstruction])(
    'is shorter than a list may be with its hundred largest records: %s',
    (_, record) => {
      const body = { object: 'list', data: Array.from({ length: limits.list.recordsMax }, () => record) };
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(listBytesMax);
    },
  );

  test('of the models of the default catalog is shorter than a list may be', () => {
    expect(Buffer.byteLength(JSON.stringify(defaultCatalog))).toBeLessThan(listBytesMax);
  });
});
