import { closeOnSignal, type Gateway } from 'tollgate';
import { drainMs, openGateway } from './open-gateway.ts';

declare global {
  var theOpenGateway: Promise<Gateway> | undefined;
}

const openAndRun = async (): Promise<Gateway> => {
  const gateway = await openGateway(process.env);
  // Only this process can renew the leases of the requests that it runs.
  gateway.jobs.start();
  // `next.env` has Next leave the signals to this: Next itself would end the process before the gateway has drained.
  closeOnSignal({ close: () => gateway.close({ drainMs }) }, (code) => process.exit(code));
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
