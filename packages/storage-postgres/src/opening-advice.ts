import { openingError } from '@tollgate/contract/configuration';
import { defaultSchema } from './default-schema.ts';
import { quoted } from './quoted.ts';

const wrongRole = 'correct the user and the password of its address';

/** The command that migrates a schema, as a text for people. */
export const migrateCommandOf = (schema: string): string =>
  `tollgate migrate --postgres URL${schema === defaultSchema ? '' : ` --schema '${schema}'`}`;

/** What to throw where the schema could not be opened or migrated: the cause with what to do about it. */
export const schemaOpeningError = (cause: unknown, schema: string): unknown =>
  openingError(cause, {
    '28000': wrongRole,
    '28P01': wrongRole,
    '42501': `this role may not do that. Let a role that owns the schema ${quoted(schema)}, or may create it, run ${migrateCommandOf(schema)}; grant this one USAGE on the schema and SELECT, INSERT, UPDATE and DELETE on its tables; then open with migrate: false`,
  });
