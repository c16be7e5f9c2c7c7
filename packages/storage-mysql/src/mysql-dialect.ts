import { plainIndexes, plainSql, type SqlCertification, type SqlDialect, type SqlFault } from '@tollgate/storage/sql';
import { connectionLostCode, type ServerFacts } from './server-facts.ts';

/** The numbers of the server's errors that say more than that a statement is wrong. */
const faults: ReadonlyMap<number, SqlFault> = new Map<number, SqlFault>([
  [1062, 'race'], // ER_DUP_ENTRY
  [1205, 'busy'], // ER_LOCK_WAIT_TIMEOUT; the transaction goes on, so it must be rolled back
  [1213, 'busy'], // ER_LOCK_DEADLOCK; the transaction is gone, and what follows it would run by itself
  [1020, 'busy'], // ER_CHECKREAD
  [1305, 'busy'], // ER_SP_DOES_NOT_EXIST, of the savepoint of a transaction that was ended by a conflict
  [1040, 'busy'], // ER_CON_COUNT_ERROR
  [1203, 'busy'], // ER_TOO_MANY_USER_CONNECTIONS
  [1969, 'busy'], // ER_STATEMENT_TIMEOUT of MariaDB
  [3024, 'busy'], // ER_QUERY_TIMEOUT of MySQL
  [1180, 'unknown'], // ER_ERROR_DURING_COMMIT
  [1317, 'unknown'], // ER_QUERY_INTERRUPTED
  [1047, 'lost'], // ER_UNKNOWN_COM_ERROR, of a node that left its cluster
  [1053, 'lost'], // ER_SERVER_SHUTDOWN
  [1290, 'lost'], // ER_OPTION_PREVENTS_STATEMENT, of a server that became read-only
  [1836, 'lost'], // ER_READ_ONLY_MODE
  [1927, 'lost'], // ER_CONNECTION_KILLED
  [1050, 'applied'], // ER_TABLE_EXISTS_ERROR
  [1060, 'applied'], // ER_DUP_FIELDNAME
  [1061, 'applied'], // ER_DUP_KEYNAME
]);

const firstServerError = 1_000;
/** ER_LOCK_DEADLOCK, of a transaction that another one won against. */
const conflict = 1_213;

const numberOf = (cause: unknown): number | undefined =>
  cause instanceof Error && 'errno' in cause && typeof cause.errno === 'number' ? cause.errno : undefined;

/** Whether the server itself reported the error, so that the connection is as it was. */
export const isServerError = (cause: unknown): boolean => (numberOf(cause) ?? 0) >= firstServerError;

export const faultOf = (cause: unknown): SqlFault => {
  const number = numberOf(cause);
  if (number !== undefined && number >= firstServerError) return faults.get(number) ?? 'other';
  return cause instanceof Error && 'code' in cause && cause.code === connectionLostCode ? 'lost' : 'other';
};

const start = plainSql('START TRANSACTION');

const lockName = "CONCAT('tollgate ', SHA1(DATABASE()))";

/** The collations that take no character for another and no trailing space for none; each server knows its own. */
const collationOf = (isMariaDb: boolean): string => (isMariaDb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin');

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** Of the nodes of a Galera cluster. */
const certification: SqlCertification = {
  tablesWith: (column) => ({
    text: 'SELECT table_name FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = ?',
    values: [column],
  }),
  // A savepoint ends with its transaction.
  checkTransaction: plainSql('RELEASE SAVEPOINT begun'),
  afterTransaction: [plainSql('SET SESSION autocommit = 1')],
  isConflict: (cause) => numberOf(cause) === conflict,
};

/** What a node runs after it ended a transaction is in one that is not committed, unless the client says so. */
const keepsBack = plainSql('SET SESSION autocommit = 0');
const savepoint = plainSql('SAVEPOINT begun');

/** The SQL of MySQL 8 and MariaDB. Every table names its character set: a server's default may be latin1. */
export const mysqlDialect = ({ isMariaDb, clusterId }: ServerFacts): SqlDialect => ({
  types: {
    id: 'VARCHAR(512)',
    // Not JSON, which MySQL would write anew and which refuses an escaped half of a surrogate pair.
    text: 'LONGTEXT',
    json: 'LONGTEXT',
    integer: 'BIGINT',
    bytes: 'LONGBLOB',
    serial: 'BIGINT AUTO_INCREMENT PRIMARY KEY',
  },
  tableEnd: () => ` ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${collationOf(isMariaDb)}`,
  checksAmounts: false,
  indexes: plainIndexes,
  quoted,
  table: quoted,
  parameter: () => '?',
  // It is read as a condition on the second one alone, without the index.
  comparesPairs: false,
  alsoListed: () => null,
  begin: clusterId === null ? [start] : [keepsBack, start, savepoint],
  beginSnapshot: [
    plainSql('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ'),
    plainSql('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY'),
    ...(clusterId === null ? [] : [savepoint]),
  ],
  // Where a table is small the server would read, and lock, all of it.
  byIndex: (name) => ` FORCE INDEX (\`${name}\`)`,
  // NOW is fixed within a statement, so that an index can be searched for it; SYSDATE is not.
  clock: 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)',
  forUpdate: ' FOR UPDATE',
  forShare: ' LOCK IN SHARE MODE',
  forUpdateSkipLocked: ' FOR UPDATE SKIP LOCKED',
  lockMigrations: [plainSql(`SELECT GET_LOCK(${lockName}, 60)`)],
  unlockMigrations: [plainSql(`SELECT RELEASE_LOCK(${lockName})`)],
  certification: clusterId === null ? undefined : certification,
  faultOf,
});
