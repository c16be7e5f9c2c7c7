import { createRequire } from 'node:module';
import { acceptedWords } from '@tollgate/contract/configuration';
import { schemaSql } from '@tollgate/storage-sqlite';
import { exitCodes, UsageError, type CommandWorld } from './command.ts';

/** The version of the package that runs. */
const versionOf = (): string => {
  const manifest: unknown = createRequire(import.meta.url)('tollgate/package.json');
  const version: unknown = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : null;
  return String(version);
};

/** The SQL that makes the tables, for people who look at it before a database is theirs. */
const schemaOf = async (storage: string): Promise<string> => {
  if (storage === 'sqlite') return schemaSql();
  if (storage === 'postgres') return (await import('@tollgate/storage-postgres')).schemaSql();
  throw new UsageError(`--schema has ${storage}; accepted ${acceptedWords(storage, ['sqlite', 'postgres'])}`);
};

/** `tollgate --version` and `tollgate --schema`; null for any other first word. */
export const runAbout = async (words: readonly string[], world: CommandWorld): Promise<number | null> => {
  const [first, second = 'sqlite', extra] = words;
  if (first !== '--version' && first !== '--schema') return null;
  const surplus = first === '--version' ? words[1] : extra;
  if (surplus !== undefined) throw new UsageError(`'${surplus}' is not understood`);
  world.print(first === '--version' ? versionOf() : await schemaOf(second));
  return exitCodes.done;
};
