import { cameAs, GatewayError, resourceState } from '@tollgate/contract';
import { cancelResource, shownFieldsOf, type Access, type FoundResource } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import { sumTokens, tokenCounts } from '../../token-counts.ts';
import type { ByteBody } from '../../byte-body.ts';
import type { GatewayRequest, GatewayResponse } from '../../gateway-request.ts';
import { openInteraction } from '../../interactions/create-interaction.ts';
import { jsonAnswer } from '../../json-answer.ts';
import { createdAnswer } from '../../resources/create-resource-answer.ts';
import { flatBody } from '../../resources/encode-resource.ts';
import { requireResource } from '../../resources/resource-queries.ts';
import type { Service } from '../../service.ts';
import { awaitResource, hasEnded } from '../../resources/await-resource.ts';
import { interactionState } from './interaction-state.ts';

/** Token counts, once they are measured. */
const usageOf = (operation: OperationRecord): object => {
  if (operation.usage === null) return {};
  const counts = tokenCounts(operation);
  return {
    usage: {
      total_input_tokens: sumTokens(counts, ({ part }) => part === 'prompt'),
      total_output_tokens: sumTokens(counts, ({ part }) => part === 'response'),
      total_thought_tokens: sumTokens(counts, ({ part }) => part === 'thoughts'),
      total_tokens: sumTokens(counts),
    },
  };
};

/** An interaction as these clients read it: its steps beside its id, not below a result. */
const interactionBody = (service: Service, found: FoundResource): string | ByteBody => {
  const { operation, resource } = found;
  const state = resourceState(resource.availability, operation.state);
  const hasSteps = found.result !== null || found.large !== undefined;
  return flatBody(service, found, {
    id: resource.id,
    object: 'interaction',
    status: interactionState(state, operation.errorCode),
    model: resource.model,
    created: new Date(resource.createdAtMs).toISOString(),
    updated: new Date(Math.max(resource.updatedAtMs, operation.updatedAtMs)).toISOString(),
    ...shownFieldsOf(found.resource),
    ...(operation.errorCode === null ? {} : { errors: [{ code: operation.errorCode }] }),
    ...usageOf(operation),
    ...(hasSteps ? {} : { steps: [] }),
  });
};

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What these clients say of how they wait, and their names for what the contract names by its id. */
interface Wish {
  readonly body: unknown;
  /** Whether the answer is the interaction as it begins, and the client asks for its end later. */
  readonly inBackground: boolean;
}

const refuse = (field: string, why: string): GatewayError =>
  new GatewayError('unsupported_parameter', { detail: `The field ${field} ${why}` });

const readWish = (value: unknown): Wish => {
  if (!isFields(value)) return { body: value, inBackground: false };
  const { background = false, store = true, stream = false, agent, environment, ...rest } = value;
  if (typeof background !== 'boolean')
    throw refuse('background', `${cameAs(background, false)}; accepted are true and false.`);
  if (store !== true)
    throw refuse('store', `${cameAs(store, false)}; accepted is true: interactions are kept, and deleted by DELETE.`);
  if (stream !== false)
    throw refuse('stream', `${cameAs(stream, false)}; accepted is false: an interaction is answered whole.`);
  const body = {
    ...rest,
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(environment === undefined ? {} : { environment_id: environment }),
  };
  return { body, inBackground: background };
};

/** `POST interactions`: waits for the end, as these clients do not ask again, unless they ask for the background. */
export const createGoogleInteraction = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  let inBackground = false;
  const created = await openInteraction(service, access, request, (value) => {
    const wish = readWish(value);
    ({ inBackground } = wish);
    return wish.body;
  });
  const found = inBackground
    ? created.found
    : await awaitResource(service, created.found, { access, request, kind: 'interaction', isReady: hasEnded });
  return createdAnswer({ ...created, found }, interactionBody(service, found));
};

export const getGoogleInteraction = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const found = await requireResource(service, access, { kind: 'interaction', id });
  if (found.resource.availability === 'deleted') throw new GatewayError('not_found');
  return jsonAnswer(service, interactionBody(service, found));
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
  return jsonAnswer(service, interactionBody(service, found));
};
