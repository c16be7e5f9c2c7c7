import { GatewayError, type CatalogModel, type InteractionTool } from '@tollgate/contract';
import { runsUpstream } from '@tollgate/engine';
import type { GenerationCall, GenerationTool } from '@tollgate/provider';
import { present } from '../../present.ts';
import type { Service } from '../../service.ts';
import type { AskedGeneration, CallParts } from './generation-dialect.ts';

/** How a request is run: by one call of the model, or as an interaction, whose tools the gateway runs between model rounds. */
export interface WayOfGeneration {
  readonly isCarried: boolean;
  /** The tools beside the client's functions that the provider runs within that call. */
  readonly tools: readonly GenerationTool[];
}

/** A tool as a call of a provider has it; null for one that only the gateway runs. */
const toCallTool = (
  { type }: InteractionTool,
  asked: AskedGeneration,
): Exclude<GenerationTool, FunctionTool> | null => {
  if (type === 'code_execution' || type === 'url_context') return { kind: type };
  if (type !== 'web_search') return null;
  return { kind: type, ...asked.searchDomains?.domains, ...present('usesMax', asked.callsMaxByTool?.web_search) };
};
type FunctionTool = Extract<GenerationTool, { readonly kind: 'function' }>;

/** One call wherever that is enough: it costs less, and is sent while the model writes. */
export const wayOf = (service: Service, model: CatalogModel, asked: AskedGeneration): WayOfGeneration => {
  const { inBackground = false, gatewayTools = [], offeredTools = [] } = asked;
  const provider = service.models.providerOf(model);
  const nativeOf = (tool: InteractionTool): GenerationTool | null => {
    const native = toCallTool(tool, asked);
    return native !== null && runsUpstream(model, provider, native.kind) ? native : null;
  };
  const native = gatewayTools.map(nativeOf);
  if (!inBackground && !native.includes(null))
    return { isCarried: false, tools: [...native, ...offeredTools.map(nativeOf)].filter((tool) => tool !== null) };
  if (asked.searchDomains !== undefined)
    throw new GatewayError('unsupported_parameter', {
      detail: `The field ${asked.searchDomains.field} limits a search that the provider of the model does not run here; accepted is a search of the whole web.`,
    });
  return { isCarried: true, tools: [] };
};

/** A call with the tools that its provider runs. */
export const withTools = (
  call: Omit<GenerationCall, 'operationId'>,
  { tools }: WayOfGeneration,
): Omit<GenerationCall, 'operationId'> => (tools.length === 0 ? call : { ...call, tools: [...call.tools, ...tools] });

/** The call of a request that nothing waits for between its model rounds: of a batch. */
export const atOnceCall = (
  service: Service,
  model: CatalogModel,
  asked: AskedGeneration,
  parts: CallParts,
): Omit<GenerationCall, 'operationId'> => {
  const way = wayOf(service, model, asked);
  if (!way.isCarried) return withTools(asked.toCall(model, parts), way);
  const names = (asked.gatewayTools ?? []).map(({ type }) => type);
  throw new GatewayError('unsupported_parameter', {
    detail: `The field ${names.length === 0 ? 'background' : 'tools'} asks for more than one call of the model (${names.join(', ')}); accepted in a batch are tools that the provider of the model runs.`,
  });
};
