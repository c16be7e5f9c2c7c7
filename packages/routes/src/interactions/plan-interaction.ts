import { GatewayError, mergeInteractionTools, type CatalogModel, type InteractionRequest } from '@tollgate/contract';
import {
  findResource,
  openInteraction,
  operationIdOf,
  prepareInteraction,
  useOfEnvironment,
  type Access,
  type InteractionAsk,
  type InteractionPreparing,
  type PreparedInteraction,
  type ResourcePlan,
  type ResourceUse,
} from '@tollgate/engine';
import type { JsonObject } from '@tollgate/provider';
import { agentWork, type KeptAgent } from '../agents/kept-agent.ts';
import { countedInput } from '../estimate-call.ts';
import { admitCall, admittedModel } from '../hooks/admit-call.ts';
import { resolveFiles, type ResolvedFiles } from '../files/resolve-files.ts';
import { requireWorkable } from '../require-workable.ts';
import { checkFamily, requireProvider, resolveModel, refusalOf } from '../resolve-model.ts';
import type { Service } from '../service.ts';
import { fileIdsOfMedia } from '../stored-media-of.ts';
import { checkInputFiles, checkOffered } from './check-interaction.ts';
import { toInputSteps, toSettings, toTool } from './to-settings.ts';

/** An interaction whose parts are checked: of the contract's body, or of a dialect's. */
export interface CheckedInteraction extends Pick<
  InteractionAsk,
  'input' | 'settings' | 'tools' | 'environmentId' | 'note'
> {
  readonly model: CatalogModel;
  readonly check: InteractionPreparing['check'];
  /** Ids of the files and the stores of the project that it names, each once. */
  readonly files: readonly string[];
  readonly stores: readonly string[];
  readonly previousInteractionId: string | null;
  readonly agentId: string | null;
  /** A schema for the answer, and the field that holds it. */
  readonly schema: JsonObject | undefined;
  readonly schemaField: string;
}

const findAgent = async (service: Service, { projectId }: Access, id: string | null): Promise<KeptAgent | null> => {
  if (id === null) return null;
  const found = await findResource(service.engine, projectId, 'agent', id);
  if (found === null) throw new GatewayError('not_found', { detail: 'There is no such agent in this project.' });
  // Of a deleted one nothing is left; the step that opens the interaction refuses it.
  return found.resource.availability === 'deleted' ? null : agentWork(service, found.resource);
};

const requireStores = async (service: Service, { projectId }: Access, ids: readonly string[]): Promise<void> => {
  for (const id of ids)
    if ((await findResource(service.engine, projectId, 'store', id)) === null)
      throw new GatewayError('not_found', { detail: 'There is no such store in this project.' });
};

const storesOf = (tools: InteractionRequest['tools']): readonly string[] => [
  ...new Set(tools.flatMap((tool) => (tool.type === 'file_search' ? tool.stores : []))),
];

const usesOf = (
  { engine }: Service,
  { model, previousInteractionId, agentId, environmentId, stores }: CheckedInteraction,
): readonly ResourceUse[] => [
  ...(previousInteractionId === null
    ? []
    : [{ id: previousInteractionId, kind: 'interaction', model: null, whenCompleted: true } as const]),
  ...(agentId === null ? [] : [{ id: agentId, kind: 'agent', model: model.id } as const]),
  ...(environmentId === null ? [] : [useOfEnvironment(engine, environmentId)]),
  ...stores.map((id) => ({ id, kind: 'store', model: null }) as const),
];

const filesOf = async (
  service: Service,
  access: Access,
  model: CatalogModel,
  asked: InteractionRequest,
): Promise<ResolvedFiles> => {
  const media = asked.input.flatMap((item) => (item.kind === 'media' ? [item.value] : []));
  const provider = service.models.providerOf(model)?.name ?? '';
  const files = await resolveFiles(service, access, fileIdsOfMedia(media), provider);
  checkInputFiles(asked, files);
  return files;
};

const joined = (agent: KeptAgent | null, asked: InteractionRequest): InteractionRequest => ({
  ...asked,
  systemInstruction: asked.systemInstruction ?? agent?.systemInstruction ?? null,
  tools: mergeInteractionTools(agent?.tools ?? [], asked.tools),
});

const prepare = async (
  service: Service,
  asked: CheckedInteraction,
  { id, access }: { readonly id: string; readonly access: Access },
): Promise<Extract<PreparedInteraction, { readonly kind: 'prepared' }>> => {
  const { engine, interactions } = service;
  const { model, input, settings, tools, check, previousInteractionId: previousId, environmentId, note } = asked;
  const prepared = await prepareInteraction(
    { ...interactions, engine, check, count: async (call) => countedInput(service, { access, model }, call) },
    {
      id,
      projectId: access.projectId,
      model: { row: model, provider: requireProvider(service, model) },
      input,
      settings,
      tools,
      previousId,
      environmentId,
      note,
    },
  );
  if (prepared.kind === 'refused') throw new GatewayError(prepared.code, { detail: prepared.detail });
  return prepared;
};

const shownOf = ({ previousInteractionId, agentId, environmentId }: CheckedInteraction) => ({
  previous_interaction_id: previousInteractionId,
  agent_id: agentId,
  environment_id: environmentId,
});

/** How a plan is named: by the request that asks for it, or the schedule. */
export type PlanName = Pick<ResourcePlan, 'identity' | 'fingerprint' | 'id'>;

/**
 * Everything that is to be checked and put aside of an interaction. What the plan guards is to be dropped where the interaction is
 * not opened with it.
 */
export const planSteps = async (
  service: Service,
  access: Access,
  asked: CheckedInteraction,
  named: PlanName,
): Promise<ResourcePlan> => {
  const { model, files, stores, schema, schemaField } = asked;
  checkFamily(model, 'interactions');
  await requireStores(service, access, stores);
  const { identity } = named;
  const intent = { access, kind: 'interaction', model: model.id, estimate: [], identity } as const;
  await requireWorkable(service, schema, schemaField, intent);
  const id = named.id ?? operationIdOf(service.engine, access);
  const { order, estimate, guard, refusal } = await prepare(service, asked, { id, access });
  return {
    access,
    ...named,
    id,
    kind: 'interaction',
    model: model.id,
    estimate,
    refusal: refusalOf(service, model) ?? refusal,
    draft: openInteraction(order, shownOf(asked)),
    uses: usesOf(service, asked),
    files,
    guard,
  };
};

/** The interaction that a body asks for, of a client or of a schedule. */
export const planInteraction = async (
  service: Service,
  caller: Access,
  body: InteractionRequest,
  named: PlanName,
): Promise<ResourcePlan> => {
  const resolved = resolveModel(service, caller, body.model ?? undefined, 'interactions');
  const { identity, id: operationId } = named;
  const admission = { access: caller, model: resolved, identity, operationId };
  const access = caller.asked === undefined ? caller : await admitCall(service, admission);
  const model = admittedModel(service, access, resolved);
  checkFamily(model, 'interactions');
  const asked = joined(await findAgent(service, access, body.agentId), body);
  const files = await filesOf(service, access, model, asked);
  const tools = asked.tools.map(toTool);
  const { previousInteractionId, agentId, environmentId } = asked;
  const checked: CheckedInteraction = {
    model,
    input: toInputSteps(asked.input),
    settings: toSettings(model, asked.systemInstruction, asked),
    tools,
    check: checkOffered(model, requireProvider(service, model), asked, tools),
    files: files.ids,
    stores: storesOf(asked.tools),
    schema: asked.format?.schema,
    schemaField: 'response_format.schema',
    previousInteractionId,
    agentId,
    environmentId,
  };
  return planSteps(service, access, checked, named);
};
