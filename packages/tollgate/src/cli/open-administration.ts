import { createAdministration, createEngine, parseTariff, withoutWorkers, type Administration } from '@tollgate/engine';
import { consoleLogger } from '../console-logger.ts';
import { basePathOf } from './base-path-option.ts';
import type { CommandInput } from './command.ts';
import { openStorage } from './open-storage.ts';

/** No command prices anything anew: what is settled is settled at an amount that is known. */
const noTariff = parseTariff({ version: 'command-line', models: {} });

/** Opens the database for one command, and closes it however the command ends. */
export const withAdministration = async (
  input: CommandInput,
  run: (admin: Administration) => Promise<number>,
): Promise<number> => {
  const prefix = basePathOf(input);
  const storage = await openStorage(input, { create: false });
  try {
    const requestUrl = (requestId: string): string => `${prefix}/requests/${requestId}`;
    const engine = createEngine({ storage, tariff: noTariff, logger: consoleLogger, requestUrl });
    return await run(createAdministration(engine, withoutWorkers(engine)));
  } finally {
    await storage.close();
  }
};
