import type { ResourceKind } from '@tollgate/contract';
import type { Access, FoundResource } from '@tollgate/engine';
import type { GatewayRequest } from '../gateway-request.ts';
import { requireResource } from './resource-queries.ts';
import type { Service } from '../service.ts';

/** How long a client waits for a resource: less than what clients wait for the headers of a response. */
const waitMsMax = 240_000;
const firstPauseMs = 20;
const pauseMsMax = 1_000;

/** Whether nothing more comes of it: it has ended, or what became of it is for an operator to say. */
export const hasEnded = ({ operation }: FoundResource): boolean =>
  operation.endedAtMs !== null || operation.state === 'uncertain';

/** The next pause of a reader that looks how far a resource is. */
export const nextPauseMs = (pauseMs: number | null): number =>
  pauseMs === null ? firstPauseMs : Math.min(2 * pauseMs, pauseMsMax);

/** Who waits for a resource, and until when. */
export interface Waiting {
  readonly access: Access;
  readonly request: GatewayRequest;
  readonly kind: ResourceKind;
  readonly isReady: (found: FoundResource) => boolean;
}

/** The resource when it is ready, or as it is when the time is over or its client has gone. */
export const awaitResource = async (
  service: Service,
  created: FoundResource,
  { access, request, kind, isReady }: Waiting,
): Promise<FoundResource> => {
  const { id } = created.resource;
  const { clock } = service.engine;
  const untilMs = clock.monotonicMs() + waitMsMax;
  let found = created;
  for (
    let pauseMs = nextPauseMs(null);
    !isReady(found) && clock.monotonicMs() < untilMs && !request.isGone();
    pauseMs = nextPauseMs(pauseMs)
  ) {
    await clock.sleep(pauseMs);
    found = await requireResource(service, access, { kind, id });
  }
  return found;
};
