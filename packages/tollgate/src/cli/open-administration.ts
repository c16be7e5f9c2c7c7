import { createAdministration, createEngine, parseTariff, withoutWorkers, type Administration } from '@tollgate/engine';
import type { Storage } from '@tollgate/storage';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { consoleLogger } from '../console-logger.ts';
import { basePathOf } from './base-path-option.ts';
import type { CommandInput } from './command.ts';
import { isDatabaseMissing } from './init-command.ts';
import { openStorage } from './open-storage.ts';

/** No command prices anything anew: what is settled is settled at an amount that is known. */
const noTariff = parseTariff({ version: 'command-line', models: {} });

/** The database of a command; an empty one in memory where there is none and the command may do without. */
const openFor = async (input: CommandInput, orEmpty: boolean): Promise<Storage> => {
  try {
    return await openStorage(input, { create: false });
  } catch (cause) {
    if (orEmpty && isDatabaseMissing(cause)) return sqliteStorage({ path: ':memory:' });
    throw cause;
  }
};

/** Opens the database for one command, and closes it however the command ends. */
export const withAdministration = async (
  input: CommandInput,
  run: (admin: Administration) => Promise<number>,
  { orEmpty = false }: { readonly orEmpty?: boolean } = {},
): Promise<number> => {
  const prefix = basePathOf(input);
  const storage = await openFor(input, orEmpty);
  try {
    const requestUrl = (requestId: string): string => `${prefix}/requests/${requestId}`;
    const engine = createEngine({ storage, tariff: noTariff, logger: consoleLogger, requestUrl });
    return await run(createAdministration(engine, withoutWorkers(engine)));
  } finally {
    await storage.close();
  }
};
