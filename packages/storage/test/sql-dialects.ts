import { plainIndexes } from '../src/sql/index-scheme.ts';
import { plainSql, type Sql } from '../src/sql/sql-connection.ts';
import type { SqlDialect } from '../src/sql/sql-dialect.ts';

/** A database with one primary; an error says by its message what it means. */
export const onePrimary: SqlDialect = {
  types: { id: 'id', text: 'text', json: 'json', integer: 'integer', bytes: 'bytes', serial: 'serial' },
  tableEnd: () => '',
  checksAmounts: false,
  indexes: plainIndexes,
  quoted: (name) => name,
  table: (name) => name,
  parameter: () => '?',
  comparesPairs: false,
  alsoListed: () => null,
  begin: [plainSql('BEGIN')],
  beginSnapshot: [],
  clock: 'clock',
  byIndex: () => '',
  forUpdate: ' FOR UPDATE',
  forShare: ' FOR SHARE',
  forUpdateSkipLocked: '',
  lockMigrations: [],
  unlockMigrations: [],
  faultOf: (cause) => {
    const message = cause instanceof Error ? cause.message : '';
    if (message === 'vanished') return 'unknown';
    if (message === 'taken') return 'race';
    return ['ended', 'interrupted'].includes(message) ? 'busy' : 'other';
  },
};

export const severalPrimaries: SqlDialect = {
  ...onePrimary,
  certification: {
    tablesWith: (column) => plainSql(`TABLES WITH ${column}`),
    checkTransaction: plainSql('CHECK'),
    afterTransaction: [plainSql('AFTER')],
    isConflict: (cause) => cause instanceof Error && cause.message === 'ended',
  },
};

/** A statement as one line, with its values. */
export const shown = ({ text, values }: Sql): string =>
  [text.replaceAll(/\s+/g, ' '), ...(values.length === 0 ? [] : [`[${values.join()}]`])].join(' ');
