import { GatewayError, isUuid, limits, parseEnabledPatch } from '@tollgate/contract';
import {
  deleteTrigger,
  findTrigger,
  listOccurrences,
  listTriggers,
  setTriggerEnabled,
  type Access,
} from '@tollgate/engine';
import type { TriggerRecord } from '@tollgate/storage';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import { readJson } from '../read-json.ts';
import type { Service } from '../service.ts';
import { runBody, triggerBody } from './encode-trigger.ts';

const nameOf = ({ projectId }: Access, id: string) => {
  if (!isUuid(id)) throw new GatewayError('not_found');
  return { triggerId: id, projectId };
};

const answerWith = (service: Service, trigger: TriggerRecord | null): GatewayResponse => {
  if (trigger === null) throw new GatewayError('not_found');
  return jsonAnswer(service, JSON.stringify(triggerBody(trigger)));
};

const listOf = (service: Service, data: readonly unknown[]): GatewayResponse =>
  jsonAnswer(service, JSON.stringify({ object: 'list', data }));

export const listTriggersOf = async (service: Service, { projectId }: Access): Promise<GatewayResponse> =>
  listOf(service, (await listTriggers(service.engine, projectId)).map(triggerBody));

/** A disabled one can still be read (triggers:get:record). */
export const getTrigger = async (service: Service, access: Access, id: string): Promise<GatewayResponse> =>
  answerWith(service, await findTrigger(service.engine, nameOf(access, id)));

/** Pauses, or resumes at the next future instant; a disabled one is not found (triggers:patch:*). */
export const patchTrigger = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const name = nameOf(access, id);
  if ((await findTrigger(service.engine, name)) === null) throw new GatewayError('not_found');
  const { value } = await readJson(request, limits.bodyBytesMax.other);
  const enabled = parseEnabledPatch(value);
  return answerWith(service, await setTriggerEnabled(service.engine, name, enabled));
};

/** Disables for good; what it opened goes on, and its history stays (triggers:delete:*). */
export const disableTrigger = async (service: Service, access: Access, id: string): Promise<GatewayResponse> =>
  answerWith(service, await deleteTrigger(service.engine, nameOf(access, id)));

export const listRunsOf = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  if ((await findTrigger(service.engine, nameOf(access, id))) === null) throw new GatewayError('not_found');
  return listOf(service, (await listOccurrences(service.engine, id)).map(runBody));
};
