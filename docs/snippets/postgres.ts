import { s3Blobs, type S3BlobsOptions } from '@tollgate/blobs-s3';
import type { OperationRecord, Storage } from '@tollgate/storage';
import {
  migratePostgres,
  postgresStorage,
  postgresNotifications,
  type PostgresNotifications,
} from '@tollgate/storage-postgres';
import { createGateway, sqliteStorage, type Gateway } from 'tollgate';

type Admin = Gateway['admin'];

// #region gateway
/** One of any number of equal processes. */
export const openClusterGateway = async (connectionString: string, bucket: S3BlobsOptions): Promise<Gateway> =>
  createGateway({
    storage: await postgresStorage({
      connectionString,
      // The store for large responses; without it they are rows of a table.
      blobs: s3Blobs(bucket),
      // A step of the deployment has migrated the schema; an older or newer one is refused.
      migrate: false,
    }),
  });
// #endregion gateway

// #region standby
/** On a primary with a synchronous standby; whichever of the two is the primary is used. */
export const openOnStandbys = async (
  connectionString = 'postgres://gateway@db-a:5432,db-b:5432/gateway',
): Promise<Gateway> =>
  createGateway({
    storage: await postgresStorage({
      connectionString,
      // Refuses a server whose commits wait for no standby.
      requireStandby: true,
    }),
  });
// #endregion standby

// #region migrate
/** Run it once for each new version, as a role that may change the schema, before processes of that version start. */
export const migrate = async (connectionString: string): Promise<string> => {
  const applied = await migratePostgres({ connectionString });
  return applied.length === 0 ? 'up to date' : `migrated to version ${Math.max(...applied)}`;
};
// #endregion migrate

// #region reports
/** Reads from a standby or a logical replica, and writes nothing. Its jobs are not started, and it is not given to customers. */
export const openReports = async (connectionString: string, contextSecret: string): Promise<Gateway> =>
  createGateway({
    storage: await postgresStorage({ connectionString, readOnly: true }),
    // Otherwise it would look for the generated one, which is not replicated.
    contextSecret,
  });
// #endregion reports

// #region wakeups
/** Waits for an operation that any process is running. */
export const whenEnded = async (
  admin: Admin,
  notifications: PostgresNotifications,
  operationId: string,
): Promise<OperationRecord | null> => {
  for (;;) {
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    const stopListening = notifications.onNotify(resolve);
    // A notification is a hint and can be lost, so poll from time to time as well.
    const timer = setTimeout(resolve, 2_000);
    try {
      const operation = await admin.readOperation(operationId);
      if (operation === null || operation.endedAtMs !== null) return operation;
      await woken;
    } finally {
      clearTimeout(timer);
      stopListening();
    }
  }
};

/** A connection of its own, which must not go through a transaction pooler. */
export const openNotifications = async (connectionString: string): Promise<PostgresNotifications> => {
  const notifications = postgresNotifications({ connectionString });
  await notifications.ready();
  return notifications;
};
// #endregion wakeups

// #region sqlite-s3
/** Any storage can be given another blob store: it is one of its fields. */
export const sqliteWithS3 = (path: string, bucket: S3BlobsOptions): Storage => ({
  ...sqliteStorage({ path }),
  blobs: s3Blobs(bucket),
});
// #endregion sqlite-s3

// #region watch
export interface UncertainOperations {
  readonly operations: number;
  readonly holdMicros: bigint;
  /** Since the oldest of them was opened, by this process's clock. */
  readonly oldestMs: number;
}

/** The operations that wait for an operator. */
export const watchUncertain = async (admin: Admin): Promise<UncertainOperations> => {
  let operations = 0;
  let holdMicros = 0n;
  let last: OperationRecord | undefined;
  for (;;) {
    // Newest first, at most 100 and at most 1 MiB at a time.
    const page = await admin.listOperations({ kind: 'state', state: 'uncertain' }, last);
    operations += page.length;
    holdMicros += page.reduce((sum, operation) => sum + operation.holdMicros, 0n);
    last = page.at(-1) ?? last;
    if (page.length === 0) break;
  }
  return { operations, holdMicros, oldestMs: last === undefined ? 0 : Date.now() - last.createdAtMs };
};
// #endregion watch
