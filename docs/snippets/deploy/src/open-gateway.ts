import { postgresStorage } from '@tollgate/storage-postgres';
import { createGateway, openaiProvider, sandboxProvider, sqliteStorage, type Gateway } from 'tollgate';
import { tariff } from './tariff.ts';

/** The same in the processes that serve and in those that do not: one storage, one price list, one secret. */
export const openGateway = async (environment = process.env): Promise<Gateway> => {
  const { DATABASE_URL, OPENAI_API_KEY, OPENAI_BASE_URL, TOLLGATE_CONTEXT_SECRET } = environment;
  const { TOLLGATE_DB = './tollgate-data/gateway.db' } = environment;
  if (TOLLGATE_CONTEXT_SECRET === undefined) throw new Error('TOLLGATE_CONTEXT_SECRET is not set');
  return createGateway({
    storage:
      DATABASE_URL === undefined
        ? sqliteStorage({ path: TOLLGATE_DB })
        : // A step of the deployment migrates the schema.
          await postgresStorage({ connectionString: DATABASE_URL, migrate: false }),
    // The sandbox needs no upstream and costs nothing.
    provider:
      OPENAI_BASE_URL === undefined
        ? sandboxProvider()
        : openaiProvider({ baseUrl: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY }),
    tariff,
    contextSecret: TOLLGATE_CONTEXT_SECRET,
    compatibility: { openai: true },
    probes: true,
  });
};
