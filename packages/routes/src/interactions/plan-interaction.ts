import { GatewayError, mergeInteractionTools, type CatalogModel, type InteractionRequest } from '@tollgate/contract';
import {
  findResource,
  openInteraction,
  prepareInteraction,
  useOfEnvironment,
  type Access,
  type PreparedInteraction,
  type ResourcePlan,
  type ResourceUse,
} from '@tollgate/engine';
import { agentWork, type KeptAgent } from '../agents/kept-agent.ts';
import { countedInput } from '../estimate-call.ts';
import { resolveFiles, type ResolvedFiles } from '../files/resolve-files.ts';
import { requireWorkable } from '../require-workable.ts';
import { checkFamily, requireProvider, resolveModel, refusalOf } from '../resolve-model.ts';
import type { Service } from '../service.ts';
import { fileIdsOfMedia } from '../stored-media-of.ts';
import { checkInputFiles, checkOffered } from './check-interaction.ts';
import { toInputSteps, toSettings, toTool } from './to-settings.ts';

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
  model: CatalogModel,
  { previousInteractionId, agentId, environmentId }: InteractionRequest,
  stores: readonly string[],
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
  model: CatalogModel,
  asked: InteractionRequest,
  { id, access }: { readonly id: string; readonly access: Access },
): Promise<Extract<PreparedInteraction, { readonly kind: 'prepared' }>> => {
  const { engine, interactions } = service;
  const tools = asked.tools.map(toTool);
  const provider = requireProvider(service, model);
  const prepared = await prepareInteraction(
    {
      ...interactions,
      engine,
      check: checkOffered(model, provider, asked, tools),
      count: (call) => countedInput(service, { access, model }, call),
    },
    {
      id,
      projectId: access.projectId,
      model: { row: model, provider },
      input: toInputSteps(asked.input),
      settings: toSettings(model, asked.systemInstruction, asked),
      tools,
      previousId: asked.previousInteractionId,
      environmentId: asked.environmentId,
    },
  );
  if (prepared.kind === 'refused') throw new GatewayError(prepared.code, { detail: prepared.detail });
  return prepared;
};

const shownOf = ({ previousInteractionId, agentId, environmentId }: InteractionRequest) => ({
  previous_interaction_id: previousInteractionId,
  agent_id: agentId,
  environment_id: environmentId,
});

/**
 * Everything that is to be checked and put aside of an interaction, requested by a client or a schedule. What the plan guards
 * is to be dropped where the interaction is not opened with it.
 */
export const planInteraction = async (
  service: Service,
  access: Access,
  body: InteractionRequest,
  named: Pick<ResourcePlan, 'identity' | 'fingerprint' | 'id'>,
): Promise<ResourcePlan> => {
  const model = resolveModel(service, access, body.model ?? undefined, 'interactions');
  checkFamily(model, 'interactions');
  const asked = joined(await findAgent(service, access, body.agentId), body);
  const files = await filesOf(service, access, model, asked);
  const stores = storesOf(asked.tools);
  await requireStores(service, access, stores);
  await requireWorkable(service, asked.format?.schema, 'response_format.schema', {
    access,
    kind: 'interaction',
    model: model.id,
    estimate: [],
    identity: named.identity,
  });
  const id = named.id ?? service.engine.newId();
  const { order, estimate, guard, refusal } = await prepare(service, model, asked, {
    id,
    access,
  });
  return {
    access,
    ...named,
    id,
    kind: 'interaction',
    model: model.id,
    estimate,
    refusal: refusalOf(service, model) ?? refusal,
    draft: openInteraction(order, shownOf(asked)),
    uses: usesOf(service, model, asked, stores),
    files: files.ids,
    guard,
  };
};
