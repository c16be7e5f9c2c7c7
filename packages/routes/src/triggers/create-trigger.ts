import { GatewayError, limits, parseTriggerRequest, type InteractionRequest } from '@tollgate/contract';
import {
  createTrigger as registerTrigger,
  describeQuota,
  discardBlob,
  findResource,
  scheduleFault,
  triggerBlobKey,
  type Access,
  type ResourcePlan,
} from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { checkTools } from '../interactions/check-interaction.ts';
import { dropGuarded } from '../interactions/drop-guarded.ts';
import { planInteraction } from '../interactions/plan-interaction.ts';
import { jsonAnswer } from '../json-answer.ts';
import { readJson } from '../read-json.ts';
import { requireRoom } from '../require-room.ts';
import type { Service } from '../service.ts';
import { triggerBody } from './encode-trigger.ts';
import { keepInteraction } from './keep-interaction.ts';

/** What is deleted does not come back; whether it can be used otherwise is checked later. */
const requireUses = async ({ engine }: Service, { projectId }: Access, { uses }: ResourcePlan): Promise<void> => {
  for (const { id, kind } of uses) {
    const found = await findResource(engine, projectId, kind, id);
    if (found === null || found.resource.availability === 'deleted')
      throw new GatewayError('not_found', { detail: `There is no such ${kind} in this project.` });
  }
};

// triggers:body:interaction
/**
 * An interaction that POST /interactions would not take is none to wait for. What may be otherwise
 * when its time comes, such as whether an earlier interaction has ended, is left to that time.
 */
const checkTest = async (service: Service, access: Access, interaction: InteractionRequest): Promise<void> => {
  const plan = await planInteraction(service, access, interaction, { identity: null, fingerprint: '' });
  try {
    await requireUses(service, access, plan);
  } finally {
    await dropGuarded(service, plan);
  }
};

// triggers:create:*
/** POST /triggers: 200 with the trigger and its next instant; nothing runs before. */
export const createTrigger = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const { engine } = service;
  await requireRoom(service, access, 'triggers');
  const { value } = await readJson(service, request, limits.bodyBytesMax.triggers);
  const { displayName, schedule, timeZone, sent, interaction } = parseTriggerRequest(value);
  const fault = scheduleFault(schedule, timeZone);
  if (fault !== null) throw new GatewayError('invalid_request', { detail: fault });
  checkTools(service, interaction.tools);
  await checkTest(service, access, interaction);
  const triggerId = engine.newId();
  const { keyId, projectId, accountId } = access;
  const kept = await keepInteraction(service, triggerId, sent);
  const command = { triggerId, keyId, projectId, accountId, displayName, schedule, timeZone, interaction: kept };
  try {
    const created = await registerTrigger(engine, command);
    if (created.kind === 'over_quota')
      throw new GatewayError('quota_exceeded', { detail: describeQuota(created.refusal) });
    return jsonAnswer(JSON.stringify(triggerBody(created.trigger)));
  } catch (cause) {
    // What is left is the sweep's, and what was registered all the same has taken it.
    await discardBlob(engine, triggerBlobKey(triggerId), { requestId: request.id });
    throw cause;
  }
};
