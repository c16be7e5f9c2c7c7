import { appendFileSync } from 'node:fs';
import type { Provider } from '@tollgate/provider';
import { sandboxProvider } from '@tollgate/provider-sandbox';
import { postgresStorage } from '@tollgate/storage-postgres';
import { createGateway, silentLogger, type Gateway } from 'tollgate';

export interface SchedulesPlace {
  /** Of the database. */
  readonly url: string;
  /** A file with a line for each execution. */
  readonly executions: string;
}

/** The sandbox, which writes down each execution before it answers: a line of a file outlives its writer. */
const recorded = (executions: string): Provider => {
  const sandbox = sandboxProvider();
  return {
    name: sandbox.name,
    generate: (call, context) => {
      appendFileSync(executions, `${call.operationId}\n`);
      return sandbox.generate(call, context);
    },
  };
};

export const model = 'flash-2.5';

/** As every process of a run assembles it; leases are short, so that what a killed one leaves is taken up within the run. */
export const openGateway = async ({ url, executions }: SchedulesPlace): Promise<Gateway> =>
  createGateway({
    storage: await postgresStorage({ connectionString: url }),
    provider: recorded(executions),
    tariff: {
      version: 'schedules-1',
      models: { '*': { perMillion: { input_text_tokens: '1', output_text_tokens: '4' } } },
    },
    limits: { leaseMs: 3_000, renewMs: 1_000, sweepMs: 200 },
    contextSecret: 'the secret of all gateways of the schedules',
    webhooks: false,
    logger: silentLogger,
  });
