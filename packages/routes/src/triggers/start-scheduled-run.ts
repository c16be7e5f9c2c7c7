import { isGatewayError } from '@tollgate/contract';
import { createResource, type StartedRun, type StartScheduledRun, type ResourcePlan } from '@tollgate/engine';
import { askedCall } from '../hooks/with-asked.ts';
import { dropGuarded } from '../interactions/drop-guarded.ts';
import { planInteraction } from '../interactions/plan-interaction.ts';
import { serviceOf } from '../service-of.ts';
import type { Service } from '../service.ts';
import { keptInteraction } from './keep-interaction.ts';
import { createTurns } from './turns.ts';

type Opening = Parameters<StartScheduledRun>;

/** Interactions can be large, and a round of the sweep finds a hundred due at once: so many are in memory. */
const openingMax = 8;

const opened: StartedRun = { kind: 'opened' };

const isOpen = async ({ engine }: Service, id: string): Promise<boolean> =>
  (await engine.storage.read([{ table: 'operation', id }])).get('operation', id) !== undefined;

const carryOut = async (service: Service, plan: ResourcePlan): Promise<StartedRun> => {
  let kept = false;
  try {
    const outcome = await createResource(service.engine, plan);
    kept = outcome.kind === 'created' && !outcome.replayed;
    if (outcome.kind === 'created' || outcome.requestId !== null) return opened;
    return { kind: 'prevented', code: outcome.code };
  } finally {
    if (!kept) await dropGuarded(service, plan);
  }
};

const plan = async (
  service: Service,
  opening: Opening,
  operationId: string,
): Promise<ResourcePlan | Extract<StartedRun, { readonly kind: 'prevented' }>> => {
  const [trigger, occurrence, identity] = opening;
  const granted = await service.engine.access.authenticateAgain(trigger);
  if (granted.kind === 'refused') return { kind: 'prevented', code: granted.code };
  try {
    const asked = await keptInteraction(service, trigger);
    if (asked === null) return { kind: 'prevented', code: 'not_found' };
    const told = { identity, fingerprint: identity, id: operationId };
    const call = askedCall({ route: 'createInteraction', identity, header: () => null }, asked);
    const access = service.requestHook === null ? granted.access : { ...granted.access, asked: call };
    const planned = await planInteraction(service, access, asked, told);
    return { ...planned, occurrence: { occurrenceId: occurrence.id } };
  } catch (cause) {
    if (!isGatewayError(cause)) throw cause;
    return { kind: 'prevented', code: cause.code };
  }
};

// triggers:run:opens-interaction
/**
 * Opens the interactions of schedules as POST /interactions does, with the key that made the schedule and what it may do now
 *. A repeated try finds what the first one opened, and charges nothing.
 */
export const startScheduledRunOf = (service: Service): StartScheduledRun => {
  const inTurn = createTurns(openingMax);
  return (trigger, occurrence, identity) =>
    inTurn(async () => {
      const own = serviceOf(service, trigger);
      const { operationId } = occurrence;
      if (operationId === null || (await isOpen(own, operationId))) return opened;
      const planned = await plan(own, [trigger, occurrence, identity], operationId);
      return planned.kind === 'prevented' ? planned : carryOut(own, planned);
    });
};
