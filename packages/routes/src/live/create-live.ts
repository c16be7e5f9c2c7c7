import {
  GatewayError,
  limits,
  parseLiveRequest,
  type CatalogModel,
  type LiveConfig,
  type LiveKind,
} from '@tollgate/contract';
import {
  createLiveSession,
  estimateLive,
  type Access,
  type CreateLiveOutcome,
  type LivePlan,
  type LiveTicket,
} from '@tollgate/engine';
import { fingerprint } from '../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { admitCall, admittedModel } from '../hooks/admit-call.ts';
import { identityOf } from '../identity-of.ts';
import { readJson } from '../read-json.ts';
import { checkFamily, resolveModel, refusalOf } from '../resolve-model.ts';
import { refusedError } from '../refused-error.ts';
import type { Service } from '../service.ts';

const path = '/live';

/** Which messages the sessions of a model speak. */
export const liveKindOf = (model: CatalogModel): LiveKind =>
  model.capabilities.includes('music_generation') ? 'music' : 'live';

// catalog:release:tools-per-model
/** A session is asked only for what its model offers. */
const checkConfig = (model: CatalogModel, { tools = [] }: LiveConfig): void => {
  const declares = tools.some(({ functionDeclarations = [] }) => functionDeclarations.length > 0);
  if (declares && !model.capabilities.includes('functions'))
    throw new GatewayError('model_incompatible', { detail: 'The model does not offer functions.' });
};

/** A system instruction in short becomes a content, so that a provider sees one form. */
const toConfig = ({ systemInstruction, ...config }: LiveConfig): LiveConfig => ({
  ...config,
  ...(systemInstruction === undefined
    ? {}
    : {
        systemInstruction:
          typeof systemInstruction === 'string' ? { parts: [{ text: systemInstruction }] } : systemInstruction,
      }),
});

/** What a client may have written as a host is not put into an answer unless it is one. */
const plainOrigin = /^https?:\/\/[A-Za-z0-9._~:[\]-]+$/;

/** Where the socket is opened: as the host says, else where the client has just been. */
const socketUrl = (service: Service, request: GatewayRequest): string => {
  if (service.live.url !== null) return service.live.url;
  const origin = request.origin ?? '';
  if (!plainOrigin.test(origin)) throw new GatewayError('invalid_request', { detail: 'The header Host is not valid.' });
  return `${origin.replace(/^http/, 'ws')}${service.basePath}${path}`;
};

const answerOf = (
  { id, accessKey, expiresAtMs }: LiveTicket,
  { url, replayed }: { readonly url: string; readonly replayed: boolean },
): GatewayResponse => ({
  status: 200,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-request-id': id,
    'idempotency-replayed': String(replayed),
  },
  body: JSON.stringify({ id, url, access_key: accessKey, expires_at: new Date(expiresAtMs).toISOString() }),
});

/** A session that a client asks for. */
export interface AskedLive extends Pick<LivePlan, 'identity' | 'fingerprint' | 'config' | 'validMs' | 'untilMs'> {
  /** The model that the body names; the key's, where it names none. */
  readonly model?: string | undefined;
}

/** Opens a session with its hold and its access, or throws why not. */
export const openLive = async (
  service: Service,
  caller: Access,
  { model: named, config, ...asked }: AskedLive,
): Promise<Extract<CreateLiveOutcome, { readonly kind: 'created' }>> => {
  const resolved = resolveModel(service, caller, named, 'live');
  const access = caller.asked === undefined ? caller : await admitCall(service, { access: caller, model: resolved });
  const model = admittedModel(service, access, resolved);
  checkFamily(model, 'live');
  checkConfig(model, config);
  const outcome = await createLiveSession(service.engine, {
    ...asked,
    access,
    model: model.id,
    estimate: estimateLive(liveKindOf(model), config, model),
    refusal: refusalOf(service, model),
    config: toConfig(config),
    origins: access.origins ?? null,
    secrets: service.live.secrets,
  });
  if (outcome.kind === 'refused') throw refusedError(outcome);
  return outcome;
};

// live:create:*
/** POST /live: 200 with the disposable access to one socket. */
export const createLive = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const body = await readJson(service, request, limits.bodyBytesMax.other);
  const { config } = parseLiveRequest(body.value);
  const url = socketUrl(service, request);
  const asked = { identity, fingerprint: fingerprint('POST', path, body.bytes), config };
  const { ticket, replayed } = await openLive(service, access, asked);
  return answerOf(ticket, { url, replayed });
};
