import { cameAs, GatewayError } from '@tollgate/contract';
import { cancelResource, type Access, type FoundResource } from '@tollgate/engine';
import type { ByteBody } from '../../../byte-body.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { openInteraction } from '../../../interactions/create-interaction.ts';
import { present } from '../../../present.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { createdAnswer } from '../../../resources/create-resource-answer.ts';
import { flatBody } from '../../../resources/encode-resource.ts';
import { requireResource } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { awaitResource, hasEnded } from '../../../resources/await-resource.ts';
import { eventsSeen, followGoogleInteraction } from './follow-google-interaction.ts';
import { interactionHead } from './interaction-head.ts';
import { fromInteractionTools } from './interaction-tools.ts';

/** An interaction as these clients read it: its steps beside its id, not below a result. */
const interactionBody = (service: Service, found: FoundResource): string | ByteBody => {
  const hasSteps = found.result !== null || found.large !== undefined;
  return flatBody(service, found, { ...interactionHead(found), ...(hasSteps ? {} : { steps: [] }) });
};

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What these clients say of how they wait, and their names for what the contract names by its id. */
interface Wish {
  readonly body: unknown;
  /** Whether the answer is the interaction as it begins, and the client asks for its end later. */
  readonly inBackground: boolean;
  /** Whether the answer is its events, to its end. */
  readonly stream: boolean;
}

const refuse = (field: string, why: string): GatewayError =>
  new GatewayError('unsupported_parameter', { detail: `The field ${field} ${why}` });

const readWish = (value: unknown): Wish => {
  if (!isFields(value)) return { body: value, inBackground: false, stream: false };
  const { background = false, store = true, stream = false, agent, environment, ...rest } = value;
  if (typeof background !== 'boolean')
    throw refuse('background', `${cameAs(background, false)}; accepted are true and false.`);
  if (store !== true)
    throw refuse('store', `${cameAs(store, false)}; accepted is true: interactions are kept, and deleted by DELETE.`);
  if (typeof stream !== 'boolean') throw refuse('stream', `${cameAs(stream, false)}; accepted are true and false.`);
  const body = {
    ...rest,
    ...present('tools', fromInteractionTools(rest['tools'])),
    ...present('agent_id', agent),
    ...present('environment_id', environment),
  };
  return { body, inBackground: background, stream };
};

/** `POST interactions`: waits for the end, as these clients do not ask again, unless they ask for the background. */
export const createGoogleInteraction = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  let [inBackground, stream] = [false, false];
  const created = await openInteraction(service, access, request, (value) => {
    const wish = readWish(value);
    ({ inBackground, stream } = wish);
    return wish.body;
  });
  if (stream)
    return followGoogleInteraction(service, access, created.found, { replayed: created.replayed, skipped: 0 });
  const found = inBackground
    ? created.found
    : await awaitResource(service, created.found, { access, request, kind: 'interaction', isReady: hasEnded });
  return createdAnswer({ ...created, found }, interactionBody(service, found));
};

/** `GET interactions/{id}`: the interaction as it stands; with `stream=true` its events, behind `last_event_id` where it is given. */
export const getGoogleInteraction = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const found = await requireResource(service, access, { kind: 'interaction', id });
  if (found.resource.availability === 'deleted') throw new GatewayError('not_found');
  if (new URLSearchParams(request.query).get('stream') === 'true')
    return followGoogleInteraction(service, access, found, { replayed: false, skipped: eventsSeen(request) });
  return jsonAnswer(interactionBody(service, found));
};

export const cancelGoogleInteraction = async (
  service: Service,
  access: Access,
  id: string,
): Promise<GatewayResponse> => {
  const { resource } = await requireResource(service, access, { kind: 'interaction', id });
  const found =
    resource.availability === 'deleted'
      ? null
      : await cancelResource(service.engine, access.projectId, 'interaction', resource.id);
  if (found === null) throw new GatewayError('not_found');
  return jsonAnswer(interactionBody(service, found));
};
