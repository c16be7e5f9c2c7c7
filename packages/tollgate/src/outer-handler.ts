import type { Engine, Health } from '@tollgate/engine';
import { watchedHandler, withCors, type GatewayHandler } from '@tollgate/routes';
import type { Gate } from './gate.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { withProbes } from './probes.ts';

/** What stands around the gate, so that also a gateway that closes is read by the pages that may call it. */
const reachOf = (
  { cors }: GatewayOptions,
  handle: GatewayHandler,
  engine: Pick<Engine, 'logger' | 'newId'>,
): GatewayHandler => (cors === undefined ? handle : withCors(handle, cors, engine));

/** What stands between the server and the gate: probes, pages of other origins, and what gives each request its id. */
export const outerHandler = (
  options: GatewayOptions,
  { newId, clock, logger, host: { observe } }: Pick<Engine, 'newId' | 'clock' | 'host' | 'logger'>,
  gate: Pick<Gate, 'handle'>,
  health: () => Promise<Health>,
): GatewayHandler => {
  const handle = reachOf(options, watchedHandler({ newId, clock, observe }, gate.handle), { newId, logger });
  return options.probes === true ? withProbes(health, handle) : handle;
};
