import type { CatalogModel } from '@tollgate/contract';
import type { AskedTool, InteractionPreparing, ResourcePlan } from '@tollgate/engine';
import type { GenerationCall, InteractionFormat, Provider } from '@tollgate/provider';
import { checkCapabilities } from '../../check-capabilities.ts';
import { checkJobTools, checkTools, demand, inputOnly } from '../../interactions/check-interaction.ts';
import { planSteps, type CheckedInteraction } from '../../interactions/plan-interaction.ts';
import { toTool } from '../../interactions/to-settings.ts';
import { present } from '../../present.ts';
import { requireProvider } from '../../resolve-model.ts';
import { carriedNote } from './carried-answer.ts';
import { toConversationSteps } from './carried-steps.ts';
import type { AskedGeneration } from './generation-dialect.ts';
import type { DialectQuestion, ReadGeneration } from './prepare-generation.ts';

const formatOf = ({ responseFormat: format }: Pick<GenerationCall, 'responseFormat'>): InteractionFormat => {
  if (format.kind === 'text') return { kind: 'text' };
  return { kind: 'json', ...present('schema', format.kind === 'json_schema' ? format.schema : null) };
};

const checkCarried =
  (model: CatalogModel, provider: Provider, tools: readonly AskedTool[]): InteractionPreparing['check'] =>
  (call, way) => {
    if (way === 'rounds') return checkCapabilities(model, call, provider);
    if (call.responseFormat.kind === 'json_schema') demand(model, 'structured_output');
    checkJobTools(model, tools);
    checkCapabilities(model, inputOnly(call), provider);
  };

const functionsOf = ({ tools }: Pick<GenerationCall, 'tools'>): readonly AskedTool[] =>
  tools.filter(({ kind }) => kind === 'function');

/** What the interaction is asked for, beside its conversation and its tools. */
const settingsOf = (asked: AskedGeneration, call: ReadGeneration['call']): CheckedInteraction['settings'] => {
  const { systemInstruction, sampling, thinking, toolChoice, responseFormat, outputTokensMax, endUser } = call;
  return {
    systemInstruction,
    format: formatOf(call),
    sampling,
    ...present('thinking', thinking),
    round: {
      toolChoice,
      responseFormat,
      outputTokensMax,
      sender: present('endUser', endUser),
      ...present('toolCallsMax', asked.toolCallsMax),
      ...present('callsMaxByTool', asked.callsMaxByTool),
    },
  };
};

/** The interaction that carries a request of a dialect: its whole conversation is the input. */
export const planCarried = async (
  { service, dialect }: DialectQuestion,
  { access, asked, model, call, files, fingerprint }: ReadGeneration,
  identity: string | null,
): Promise<ResourcePlan> => {
  const { gatewayTools = [] } = asked;
  checkTools(service, gatewayTools);
  const tools = [...functionsOf(call), ...gatewayTools.map(toTool)];
  const { responseFormat: format } = call;
  const checked: CheckedInteraction = {
    model,
    input: toConversationSteps(call.contents),
    settings: settingsOf(asked, call),
    tools,
    check: checkCarried(model, requireProvider(service, model), tools),
    files,
    stores: gatewayTools.flatMap((tool) => (tool.type === 'file_search' ? tool.stores : [])),
    schema: format.kind === 'json_schema' ? format.schema : undefined,
    schemaField: dialect.schemaField,
    previousInteractionId: null,
    agentId: null,
    environmentId: null,
    note: carriedNote(dialect.name, asked.echo),
  };
  return planSteps(service, access, checked, { identity, fingerprint });
};
