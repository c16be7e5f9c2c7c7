import {
  also,
  callable,
  checkOf,
  faultAt,
  flag,
  foreign,
  having,
  oneOf,
  optionsCheck,
  text,
  timerMs,
  whole,
  type OptionCheck,
  type OptionChecks,
} from '@tollgate/contract/configuration';
import type { BlobStore } from '@tollgate/storage';
import type { Pool } from 'pg';
import { hostsMax, isSoundHostList, splitHosts } from './host-list.ts';
import type { PostgresSource } from './open-client.ts';
import type { MigrateOptions, PostgresStorageOptions, PostgresNotificationsOptions } from './postgres-options.ts';

/** The server cuts longer names. */
const schemaCharsMax = 63;

/** The options of a type whose source of connections is one of two; which one is a rule of its own. */
type Flat<T> = Omit<T, keyof PostgresSource> & { readonly connectionString?: string; readonly pool?: Pool };

const sourceChecks = {
  // It may hold a password. With an empty one, as of a variable that is not set, the driver would connect to its own default.
  connectionString: text({
    accepted: `is the address of a database, as postgres://user:password@host:5432/database with special characters in it percent-encoded (# as %23, @ as %40), of up to ${hostsMax} hosts with one primary`,
    isSound: isSoundHostList,
    isSecret: true,
  }),
  pool: foreign<Pool>(),
};

const schema = text({
  charsMax: schemaCharsMax,
  accepted: `is a name of 1 to ${schemaCharsMax} characters`,
});
const connectTimeoutMs = timerMs({ min: 1 });

/** Connections are made from an address or taken from a pool. */
const withSource = <T>(checks: OptionChecks<Flat<T>>): OptionCheck<T> => {
  const members = optionsCheck<Flat<T>>(checks);
  return checkOf((value, place) => {
    const faults = members.faultsOf(value, place);
    if (faults.length > 0 || typeof value !== 'object' || value === null) return faults;
    const given = ['connectionString', 'pool'].filter((name) => Reflect.get(value, name) !== undefined);
    if (given.length === 1) return [];
    const came = given.length === 0 ? 'is missing' : 'stands beside pool';
    return faultAt('connectionString', came, 'is one of connectionString and pool');
  });
};

/** What each option may be: `PostgresStorageOptions` says what it does. */
const ofStorage = withSource<PostgresStorageOptions>({
  ...sourceChecks,
  schema,
  batchConnections: whole({ min: 1, max: 64 }),
  stepsPerBatchMax: whole({ min: 1 }),
  onBatch: callable(),
  statementTimeoutMs: timerMs({ min: 1 }),
  // 0 waits without end, as the server has it.
  lockTimeoutMs: timerMs(),
  connectTimeoutMs,
  answerTimeoutMs: timerMs({ min: 1 }),
  requireStandby: flag(),
  allowUnsafeServer: flag(),
  pooler: oneOf('session', 'transaction'),
  retriesMax: whole(),
  notifyEveryMs: timerMs(),
  readOnly: flag(),
  blobs: having<BlobStore>('put', 'get', 'putStream', 'getStream', 'delete'),
  migrate: flag(),
  create: flag(),
  now: callable(),
  random: callable(),
});

const readsOneHost = ({ readOnly, connectionString }: PostgresStorageOptions): boolean =>
  readOnly !== true || connectionString === undefined || splitHosts(connectionString).length === 1;

export const storageOptionsCheck = also(ofStorage, (options) =>
  readsOneHost(options)
    ? []
    : faultAt('connectionString', 'names several hosts beside readOnly', 'names one host, from which is read'),
);

export const migrateOptionsCheck = withSource<MigrateOptions>({ ...sourceChecks, schema, connectTimeoutMs });

export const notificationsOptionsCheck = withSource<PostgresNotificationsOptions>({
  ...sourceChecks,
  schema,
  connectTimeoutMs,
  checkEveryMs: timerMs({ min: 1 }),
  pooler: oneOf('session'),
  random: callable(),
});
