import type { Gateway } from 'tollgate';
import { drainMs, openGateway } from './open-gateway.ts';

declare global {
  var theOpenGateway: Promise<Gateway> | undefined;
}

const openAndRun = async (): Promise<Gateway> => {
  const gateway = await openGateway(process.env);
  // Only this process can renew the leases of the requests that it runs.
  gateway.jobs.start();
  // Next stops listening at the same signal, and ends the process when the running requests have their responses.
  const close = (): void => void gateway.close({ drainMs });
  process.once('SIGTERM', close).once('SIGINT', close);
  return gateway;
};

/**
 * The gateway of this process. Next may load this module more than once, and loads it to build: that opens nothing. Where opening
 * fails, the next call tries again.
 */
export const theGateway = (): Promise<Gateway> =>
  (globalThis.theOpenGateway ??= openAndRun().catch((cause: unknown) => {
    globalThis.theOpenGateway = undefined;
    throw cause;
  }));
