import { describe, expect, test } from 'vitest';
import { onePrimary } from '../../test/sql-dialects.ts';
import { plainSql, type SqlConnection } from './sql-connection.ts';
import type { SqlDialect, SqlFault } from './sql-dialect.ts';
import { runTransaction, UnknownCommitError } from './sql-transaction.ts';

const faults: ReadonlySet<string> = new Set(['race', 'busy', 'lost', 'unknown', 'applied']);

const isFault = (message: string): message is SqlFault => faults.has(message);

/** An error says by its message what it means. */
const dialect: SqlDialect = {
  ...onePrimary,
  faultOf: (cause) => (cause instanceof Error && isFault(cause.message) ? cause.message : 'other'),
};

/** A connection whose commit fails with this message. */
const createConnection = (fails: string) => {
  const packets: string[] = [];
  let isOpen = true;
  const connection: SqlConnection = {
    run: async (statements) => {
      packets.push(statements.map(({ text }) => text).join());
      if (statements.at(-1)?.text === 'COMMIT') throw new Error(fails);
      return statements.map(() => []);
    },
    isOpen: () => isOpen,
    close: () => {
      isOpen = false;
    },
  };
  return { connection, packets };
};

const run = (connection: SqlConnection, onlyReads: boolean) =>
  runTransaction(dialect, connection, [plainSql('LOAD')], () => ({
    writes: [plainSql('WRITE')],
    onlyReads,
    answer: () => 'done',
  }));

describe('runTransaction', () => {
  test.each(['lost', 'unknown'])('does not know of a commit that was %s, and closes the connection', async (fault) => {
    const { connection, packets } = createConnection(fault);
    await expect(run(connection, false)).rejects.toBeInstanceOf(UnknownCommitError);
    expect(connection.isOpen()).toBe(false);
    expect(packets).toEqual(['BEGIN,LOAD', 'WRITE,COMMIT']);
  });

  test.each(['race', 'busy', 'other'])('leaves the transaction whose commit failed by %s', async (fault) => {
    const { connection, packets } = createConnection(fault);
    await expect(run(connection, false)).rejects.toThrow(fault);
    expect(packets.at(-1)).toBe('ROLLBACK');
  });

  test('reports as lost, and not as unknown, what only read when its connection was lost', async () => {
    const { connection } = createConnection('lost');
    await expect(run(connection, true)).rejects.not.toBeInstanceOf(UnknownCommitError);
  });
});
