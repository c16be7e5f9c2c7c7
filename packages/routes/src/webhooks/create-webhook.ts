import { GatewayError, limits, parseWebhookRequest } from '@tollgate/contract';
import { createWebhook as registerWebhook, type Access, describeQuota } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import { readJson } from '../read-json.ts';
import type { Service } from '../service.ts';
import { webhookBody } from './encode-webhook.ts';

/** The address as it will be called. Where no events are sent, no webhook can be registered. */
const checkedUrl = async ({ webhookSender }: Service, url: string): Promise<string> => {
  if (webhookSender === null) throw new GatewayError('service_unavailable');
  const verdict = await webhookSender.check(url);
  if (verdict.kind === 'refused')
    throw new GatewayError('invalid_request', { detail: `The field url is not accepted: ${verdict.why}` });
  // A sender of the host's may think otherwise; what is no address cannot be sent to (webhooks:create:url-required).
  if (!URL.canParse(verdict.url))
    throw new GatewayError('invalid_request', { detail: 'The field url is not an address.' });
  return verdict.url;
};

// webhooks:create:*
/** POST /webhooks: 200 with the webhook and its secret, which no other answer holds. */
export const createWebhook = async (
  service: Service,
  { projectId }: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const body = await readJson(service, request, limits.bodyBytesMax.other);
  const asked = parseWebhookRequest(body.value);
  const url = await checkedUrl(service, asked.url);
  const answer = await registerWebhook(service.engine, { projectId, url, events: asked.events });
  if (answer.kind === 'too_many')
    throw new GatewayError('invalid_request', { detail: 'The project has as many enabled webhooks as it may have.' });
  if (answer.kind === 'over_quota') throw new GatewayError('quota_exceeded', { detail: describeQuota(answer.refusal) });
  const { webhook, secret } = answer;
  return jsonAnswer(JSON.stringify({ ...webhookBody(webhook), signing_secret: secret }));
};
