import type { AnyIndexSpec } from '@tollgate/storage';
import { partialIndexes, type JsonSql, type SchemaDialect, type StatementDialect } from '@tollgate/storage/sql';
import { dueTableIn } from './due-rows.ts';
import { quoted } from './quoted.ts';

/** No name of a table or column is a word that PostgreSQL keeps for itself. */
const plainName = (name: string): string => name;

/**
 * Wallets are changed in place again and again, and each operation once, so their pages keep room for that: a row
 * whose new version fits beside the old one, and of which no indexed column changed, needs no new entry in any index. That is
 * why no index over operations has a column in it that an ordinary settlement changes. When an operation is due, and which are open,
 * is found in two narrow tables instead, see due-rows.ts.
 */
const fillFactors: ReadonlyMap<string, number> = new Map([
  ['wallet', 50],
  ['operation', 40],
  ['spend', 50],
]);
const foundElsewhere: ReadonlySet<string> = new Set(['operation_due', 'operation_by_state']);

/** Text is compared by bytes: every index is then in the same order on every server, whatever its locale, and cheap. */
const text = 'text COLLATE "C"';

/** The tables of PostgreSQL. Names are found by the search path. */
export const postgresSchema: SchemaDialect = {
  types: {
    id: text,
    text,
    // Not `jsonb`: it gives back the very text, so a record comes back as it was.
    json: 'json',
    integer: 'bigint',
    bytes: 'bytea',
    serial: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  },
  tableEnd: (table) => {
    const factor = fillFactors.get(table);
    return factor === undefined ? '' : ` WITH (fillfactor = ${factor})`;
  },
  checksAmounts: true,
  indexes: { ...partialIndexes, isMade: (name) => !foundElsewhere.has(name) },
  quoted: plainName,
};

/** Of all operations that are stored, the open ones are few and have a table of their own. */
const isOfOpenOperations = ({ table, whereNull }: AnyIndexSpec): boolean =>
  table === 'operation' && whereNull === 'endedAtMs';

/** Statements over the tables of one schema. */
export const postgresDialect = (schema: string): StatementDialect => ({
  ...postgresSchema,
  table: (name) => `${quoted(schema)}.${name}`,
  parameter: (at) => `$${at + 1}`,
  comparesPairs: true,
  alsoListed: (spec) =>
    isOfOpenOperations(spec) ? `id = ANY (ARRAY (SELECT id FROM ${dueTableIn(schema, 'operation_open')}))` : null,
  forUpdate: ' FOR UPDATE',
  forShare: ' FOR SHARE',
});

export const postgresJson: JsonSql = {
  object: 'json_build_object',
  objectOfRows: 'json_object_agg',
  elements: (array, as) => `json_array_elements(${array}) WITH ORDINALITY AS ${as} (value, key)`,
  merged: (one, other) => `(${one}::jsonb || ${other}::jsonb)::json`,
};
