import {
  carrySteps,
  type CarryAttempt,
  checkedStorage,
  connectionOf,
  createStepBatcher,
  decideSteps,
  foldUsageRows,
  indexSpec,
  settleSteps,
  watchBatches,
  type StepBatcher,
  type Storage,
  type StorageParts,
  type TableName,
} from '@tollgate/storage';
import type { Client } from 'pg';
import { UnknownCommitError, usageRowOf } from '@tollgate/storage/sql';
import { commitBatch } from './commit-batch.ts';
import { checkSessions } from './check-sessions.ts';
import { claimDue } from './claim-due.ts';
import { clockStatement } from './clock-statement.ts';
import { defaultSchema } from './default-schema.ts';
import { createKitStatements } from './list-statement.ts';
import { databaseMissing, migrateOn, onServer, requireGateway, requireSchema } from './migrate.ts';
import type { PostgresSource } from './open-client.ts';
import { schemaOpeningError } from './opening-advice.ts';
import type { PostgresStorageOptions } from './postgres-options.ts';
import { readBatch } from './read-batch.ts';
import { readOnlyStorage } from './read-only-storage.ts';
import { retrying, retryReason, type RetryLimits } from './retry.ts';
import type { Row } from './row-codec.ts';
import { createServerDial, type ServerDial } from './server-dial.ts';
import { createSession, type Session } from './session.ts';
import type { Statement, StatementResult } from './statement.ts';
import { tableBlobs } from './table-blobs.ts';
import { sumUsageStatement } from './sum-usage-statement.ts';
import { tableVectors } from './table-vectors.ts';
import { createSchemaStatements, type SchemaStatements } from './table-statements.ts';
import { createNotifySignal, isWorthWaking, type NotifySignal } from './notify-signal.ts';
import { checkConfiguration } from '@tollgate/contract/configuration';
import { storageOptionsCheck } from './options-check.ts';

/** Connections that a storage keeps beside one for each batch connection: one for reads, one for lists, claims and blobs. */
const otherConnections = 2;

interface Parts {
  readonly statements: SchemaStatements;
  readonly batchConnections: readonly Session[];
  readonly reader: Session;
  /** For everything that is neither a batch nor a read. */
  readonly desk: Session;
  readonly limits: RetryLimits;
  readonly now: (() => number) | null;
  readonly notify: NotifySignal;
}

type Defaulted = {
  readonly [
    Name in
      | 'schema'
      | 'batchConnections'
      | 'statementTimeoutMs'
      | 'lockTimeoutMs'
      | 'connectTimeoutMs'
      | 'answerTimeoutMs'
  ]: NonNullable<PostgresStorageOptions[Name]>;
};

const statementTimeoutMsDefault = 15_000;

const withDefaults = (options: PostgresStorageOptions): Defaulted => ({
  schema: options.schema ?? defaultSchema,
  batchConnections: options.batchConnections ?? 2,
  statementTimeoutMs: options.statementTimeoutMs ?? statementTimeoutMsDefault,
  lockTimeoutMs: options.lockTimeoutMs ?? 5_000,
  connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
  // A batch holds a dozen statements, of which at most a few wait; the rest of the time is the network's.
  answerTimeoutMs: options.answerTimeoutMs ?? 3 * (options.statementTimeoutMs ?? statementTimeoutMsDefault),
});

const checkPool = ({ pool }: PostgresSource, batchConnections: number): void => {
  const needed = batchConnections + otherConnections;
  if (pool !== undefined && pool.options.max < needed)
    throw new RangeError(`the pool allows ${pool.options.max} connections; this storage keeps ${needed} of them`);
};

const dialOf = (options: PostgresStorageOptions): ServerDial =>
  createServerDial(options, {
    connectTimeoutMs: withDefaults(options).connectTimeoutMs,
    demands: {
      readOnly: options.readOnly ?? false,
      allowUnsafeServer: options.allowUnsafeServer ?? false,
      requireStandby: options.requireStandby ?? false,
      pooler: options.pooler ?? null,
    },
  });

const createParts = (options: PostgresStorageOptions, dial: ServerDial): Parts => {
  const { schema, batchConnections, ...times } = withDefaults(options);
  const limits = { ...times, isReadOnly: options.readOnly ?? false };
  const retries: RetryLimits = { retriesMax: options.retriesMax ?? 6, random: options.random ?? Math.random };
  const session = () => createSession({ dial, limits, pooler: options.pooler ?? null });
  const desk = session();
  return {
    statements: createSchemaStatements(schema),
    batchConnections: Array.from({ length: batchConnections }, session),
    reader: session(),
    desk,
    limits: retries,
    now: options.now ?? null,
    notify: createNotifySignal({
      schema,
      everyMs: options.notifyEveryMs ?? 50,
      // Not tried again: polling is the backstop.
      run: async (statement) => (await desk.line()).run([statement]),
    }),
  };
};

/** Whether steps must not be decided again one by one: their commit may have happened, or there is no database. */
const endsBatch = (cause: unknown): boolean => cause instanceof UnknownCommitError || retryReason(cause) === 'lost';

const carryOn =
  (parts: Parts, session: Session): CarryAttempt =>
  async (steps, trustFresh) => {
    try {
      const { outcomes, writes, nowMs } = await retrying(parts.limits, async (retries) =>
        // After a lost race a fresh id may be what was taken.
        commitBatch(parts, await session.line(), steps, trustFresh && retries === 0),
      );
      if (isWorthWaking(writes, nowMs)) parts.notify.raise();
      return { kind: 'carried', outcomes };
    } catch (cause) {
      if (endsBatch(cause)) return { kind: 'unknown', cause };
      throw cause;
    }
  };

const createSteps = (parts: Parts, { stepsPerBatchMax = 512, onBatch }: PostgresStorageOptions): StepBatcher => {
  const carriers = parts.batchConnections.map((session) => carryOn(parts, session));
  return createStepBatcher({
    batchConnections: carriers.length,
    connectionOf,
    stepsPerBatchMax,
    flush: watchBatches(onBatch, async (steps, connection) => {
      const carry = carriers[connection];
      if (carry === undefined) throw new Error(`there is no batch connection ${connection}`);
      settleSteps(steps, await carrySteps(steps, carry));
    }),
  });
};

/** Reads that wait together are one round trip. */
const createReads = ({ statements, reader, limits }: Parts): StepBatcher =>
  createStepBatcher({
    flush: async (steps) => {
      const batch = await retrying(limits, async () => readBatch(statements, await reader.line(), steps));
      settleSteps(steps, decideSteps(batch, steps));
    },
  });

const prepareOn = async (client: Client, schema: string, options: PostgresStorageOptions): Promise<void> => {
  const { readOnly = false } = options;
  if (options.create === false || readOnly) await requireGateway(client, schema);
  if (options.migrate === false || readOnly) await requireSchema(client, schema);
  else await migrateOn(client, schema);
};

const unknownDatabase = '3D000';

const prepare = async (options: PostgresStorageOptions, dial: ServerDial): Promise<void> => {
  const { schema } = withDefaults(options);
  try {
    await onServer(dial, (client) => prepareOn(client, schema, options));
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === unknownDatabase)) throw cause;
    throw databaseMissing(cause.message, cause);
  }
};

const openAll = async (
  { batchConnections, reader, desk }: Parts,
  { pooler }: PostgresStorageOptions,
): Promise<void> => {
  const lines = await Promise.all([...batchConnections, reader, desk].map((session) => session.line()));
  if (pooler === 'session') await checkSessions(lines);
};

const closeAll = ({ batchConnections, reader, desk, notify }: Parts): void => {
  notify.stop();
  for (const session of [...batchConnections, reader, desk]) session.close();
};

/** PostgreSQL holds no NUL, and one such id would fail every step of its batch. */
const holdsId = (id: string): boolean => !id.includes('\0');

/** Runs statements on a connection of its own; returns the result of the last. */
const createRun =
  ({ limits, desk }: Parts, guard: () => void) =>
  async (...sent: readonly Statement[]): Promise<StatementResult> => {
    guard();
    const results = await retrying(limits, async () => (await desk.line()).run(sent));
    return results.at(-1) ?? { rows: [], tag: '' };
  };

const createStorage = (parts: Parts, options: PostgresStorageOptions): Storage => {
  const { statements } = parts;
  const kit = createKitStatements(statements.schema);
  const [steps, reads] = [createSteps(parts, options), createReads(parts)];
  const decoded = (table: TableName, rows: readonly Row[]) => rows.map((row) => statements.of(table).codec.decode(row));
  const partsOf = (guard: () => void): StorageParts => {
    const run = createRun(parts, guard);
    return {
      steps,
      read: (keys) => reads.submit(keys, (records) => ({ writes: [], answer: records })),
      list: async (index, query) => decoded(indexSpec(index).table, (await run(kit.list(index, query))).rows),
      scan: async (table, query) => decoded(table, (await run(kit.scan(table, query))).rows),
      claim: async (query) =>
        decoded(query.table, await claimDue({ statements, run, nowMs: parts.now?.() ?? null }, query)),
      sumUsage: async (query) =>
        foldUsageRows((await run(sumUsageStatement(statements.schema, query))).rows.map(usageRowOf)),
      blobs: options.blobs ?? tableBlobs(statements.schema, run),
      vectors: tableVectors(statements.schema, run),
      close: async () => {
        await Promise.all([steps.idle(), reads.idle()]);
        closeAll(parts);
      },
    };
  };
  return checkedStorage(partsOf, { holdsId });
};

const readClock = async ({ now, desk, limits }: Parts): Promise<number> => {
  if (now !== null) return now();
  const [result] = await retrying(limits, async () => (await desk.line()).run([clockStatement]));
  return Number(result?.rows[0]?.[0]);
};

/**
 * A storage on PostgreSQL for any number of processes. Brings the schema up to date and opens its connections before it
 * resolves; rejects where that cannot be done, with `UnsafeServerError` where the server must not be used as it is set up.
 */
export const postgresStorage = async (options: PostgresStorageOptions): Promise<Storage> => {
  checkConfiguration('postgresStorage', storageOptionsCheck, options);
  checkPool(options, withDefaults(options).batchConnections);
  const dial = dialOf(options);
  const parts = createParts(options, dial);
  try {
    await prepare(options, dial);
    await openAll(parts, options);
  } catch (cause) {
    closeAll(parts);
    const { schema } = withDefaults(options);
    throw schemaOpeningError(cause, schema);
  }
  const storage = createStorage(parts, options);
  return options.readOnly === true ? readOnlyStorage(storage, () => readClock(parts)) : storage;
};
