import type { Sql, SqlCell, SqlConnection, SqlRow, SqlValue } from '@tollgate/storage/sql';
import { createConnection, format, raw, type Connection, type ConnectionOptions } from 'mysql2';
import { placeOf, type MysqlAddress, type TlsSettings } from './mysql-address.ts';
import { faultOf, isServerError } from './mysql-dialect.ts';
import { factsSql, lost, readServerFacts, type ClockOffset, type ServerFacts } from './server-facts.ts';

export interface ConnectionSettings {
  readonly address: MysqlAddress;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

/** Room that a packet keeps for what goes with its text. */
const packetHeadBytes = 1_024;

const lostMessage = 'the connection to MySQL was lost';

/** A whole number as its digits: as a number of JavaScript it could be rounded. */
const toParameter = (value: SqlValue) => {
  if (typeof value === 'bigint') return raw(String(value));
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
};

const textOf = ({ text, values }: Sql): string => (values.length === 0 ? text : format(text, values.map(toParameter)));

/** As many statements a packet as the server takes: a packet stops at the first statement that fails. */
const packetsOf = (statements: readonly Sql[], bytesMax: number): readonly (readonly string[])[] => {
  const packets: string[][] = [];
  let room = 0;
  for (const statement of statements) {
    const text = textOf(statement);
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > bytesMax)
      throw new Error(`a statement of ${bytes} bytes; max_allowed_packet leaves room for ${bytesMax}`);
    if (bytes > room) {
      packets.push([]);
      room = bytesMax;
    }
    packets.at(-1)?.push(text);
    room -= bytes;
  }
  return packets;
};

const toCell = (value: unknown): SqlCell => {
  if (value === null || typeof value === 'string' || value instanceof Uint8Array) return value;
  if (typeof value !== 'number') throw new Error(`the driver returned a ${typeof value}`);
  return String(value);
};

/** What a statement that returns no rows has is an object. */
const rowsOf = (result: unknown): readonly SqlRow[] =>
  Array.isArray(result) ? result.map((row: unknown) => (Array.isArray(row) ? row.map(toCell) : [])) : [];

const send = (connection: Connection, texts: readonly string[], timeout: number) =>
  new Promise<readonly (readonly SqlRow[])[]>((resolve, reject) => {
    connection.query({ sql: texts.join(';'), rowsAsArray: true, timeout }, (error, results: unknown) => {
      if (error !== null) reject(error);
      else resolve(texts.length === 1 || !Array.isArray(results) ? [rowsOf(results)] : results.map(rowsOf));
    });
  });

/** Names the place and not the user or the password. */
const notOpened = (address: MysqlAddress, cause: Error): Error => {
  const why = 'code' in cause ? ` (${String(cause.code)})` : '';
  return lost(`no connection to MySQL at ${placeOf(address)} could be opened${why}`, cause);
};

/** A copy of the settings, for the driver writes into them. */
const encrypted = (tls: TlsSettings | null): ConnectionOptions => (tls === null ? {} : { ssl: { ...tls } });

const connect = ({ address, connectTimeoutMs }: ConnectionSettings) =>
  new Promise<Connection>((resolve, reject) => {
    const { tls, ...place } = address;
    const connection = createConnection({
      ...place,
      ...encrypted(tls),
      connectTimeout: connectTimeoutMs,
      charset: 'utf8mb4',
      multipleStatements: true,
      // Else numbers above 2^53 would be rounded.
      supportBigNumbers: true,
      bigNumberStrings: true,
    });
    connection.on('error', () => undefined);
    connection.connect((error) => {
      if (error === null) resolve(connection);
      else reject(isServerError(error) ? error : notOpened(address, error));
    });
  });

/** Strict, or ids that are too long would be cut; READ COMMITTED, or absent rows would lock their neighbours. */
const settingsSql = ({ lockTimeoutMs }: ConnectionSettings): readonly string[] => [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', SESSION time_zone = '+00:00', SESSION autocommit = 1,
    SESSION innodb_lock_wait_timeout = ${Math.max(1, Math.ceil(lockTimeoutMs / 1_000))}`,
];

/** Reads, and transactions when they begin, wait until the node has all that its cluster has committed. */
const nodeSql = 'SET SESSION wsrep_sync_wait = 1, SESSION wsrep_dirty_reads = 0';

/** Sends packets over a connection until it is lost. */
const createSender = (connection: Connection, timeoutMs: number) => {
  let isOpen = true;
  // Not destroyed here: the driver has yet to reject what waits for an answer.
  const markEnded = (): void => {
    isOpen = false;
  };
  connection.on('error', markEnded);
  connection.on('end', markEnded);
  const close = (): void => {
    isOpen = false;
    connection.destroy();
  };
  return {
    isOpen: () => isOpen,
    close,
    send: async (texts: readonly string[]): Promise<readonly (readonly SqlRow[])[]> => {
      if (!isOpen) throw lost(lostMessage, new Error('it is closed'));
      try {
        return await send(connection, texts, timeoutMs);
      } catch (cause) {
        // A server that says it cannot go on is no more use than one that is silent: the next connection may find another.
        if (isServerError(cause) && isOpen && faultOf(cause) !== 'lost') throw cause;
        close();
        throw isServerError(cause) ? cause : lost(lostMessage, cause);
      }
    },
  };
};

export interface MysqlConnection extends SqlConnection {
  readonly server: ServerFacts;
  readonly clock: ClockOffset;
}

/** One connection, with its settings made and its server checked. */
export const mysqlConnection = async (settings: ConnectionSettings): Promise<MysqlConnection> => {
  const { isOpen, close, ...sender } = createSender(await connect(settings), settings.statementTimeoutMs);
  try {
    const sentMs = performance.now();
    const results = await sender.send([...settingsSql(settings), ...factsSql]);
    const receivedMs = performance.now();
    const server = readServerFacts(results.slice(-factsSql.length));
    if (server.clusterId !== null) await sender.send([nodeSql]);
    const bytesMax = server.packetBytesMax - packetHeadBytes;
    return {
      run: async (statements) => {
        const rows: (readonly SqlRow[])[] = [];
        for (const texts of packetsOf(statements, bytesMax)) rows.push(...(await sender.send(texts)));
        return rows;
      },
      isOpen,
      close,
      server,
      clock: { fromMs: server.clockMs - receivedMs, toMs: server.clockMs - sentMs },
    };
  } catch (cause) {
    close();
    throw cause;
  }
};
