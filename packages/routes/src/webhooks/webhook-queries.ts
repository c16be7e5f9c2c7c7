import { GatewayError, isUuid, limits, parseEnabledPatch } from '@tollgate/contract';
import {
  deleteWebhook,
  findWebhook,
  listDeliveries,
  listWebhooks,
  setWebhookEnabled,
  type Access,
} from '@tollgate/engine';
import type { WebhookRecord } from '@tollgate/storage';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import { readJson } from '../read-json.ts';
import type { Service } from '../service.ts';
import { deliveryBody, webhookBody } from './encode-webhook.ts';

const nameOf = ({ projectId }: Access, id: string) => {
  if (!isUuid(id)) throw new GatewayError('not_found');
  return { webhookId: id, projectId };
};

const answerWith = (service: Service, webhook: WebhookRecord | null): GatewayResponse => {
  if (webhook === null) throw new GatewayError('not_found');
  return jsonAnswer(service, JSON.stringify(webhookBody(webhook)));
};

const listOf = (service: Service, data: readonly unknown[]): GatewayResponse =>
  jsonAnswer(service, JSON.stringify({ object: 'list', data }));

export const listWebhooksOf = async (service: Service, { projectId }: Access): Promise<GatewayResponse> =>
  listOf(service, (await listWebhooks(service.engine, projectId)).map(webhookBody));

/** A disabled one can still be read (webhooks:get:record). */
export const getWebhook = async (service: Service, access: Access, id: string): Promise<GatewayResponse> =>
  answerWith(service, await findWebhook(service.engine, nameOf(access, id)));

/** Pauses or resumes; a disabled one is not found (webhooks:patch:*). */
export const patchWebhook = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const name = nameOf(access, id);
  if ((await findWebhook(service.engine, name)) === null) throw new GatewayError('not_found');
  const { value } = await readJson(request, limits.bodyBytesMax.other);
  const enabled = parseEnabledPatch(value);
  const answer = await setWebhookEnabled(service.engine, name, enabled);
  if (answer === 'too_many')
    throw new GatewayError('invalid_request', { detail: 'The project has as many enabled webhooks as it may have.' });
  return answerWith(service, answer);
};

/** Disables for good; what was delivered stays readable (webhooks:delete:*). */
export const disableWebhook = async (service: Service, access: Access, id: string): Promise<GatewayResponse> =>
  answerWith(service, await deleteWebhook(service.engine, nameOf(access, id)));

export const listDeliveriesOf = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  if ((await findWebhook(service.engine, nameOf(access, id))) === null) throw new GatewayError('not_found');
  return listOf(service, (await listDeliveries(service.engine, id)).map(deliveryBody));
};
