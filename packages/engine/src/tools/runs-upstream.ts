import type { CatalogModel } from '@tollgate/contract';
import type { GenerationTool, Provider } from '@tollgate/provider';

/**
 * Whether the provider of a model runs a tool itself while it generates. The catalog says which models run code and read addresses,
 * and their provider may deny it; what searches, the provider alone says.
 */
export const runsUpstream = (
  { upstreamId, capabilities }: Pick<CatalogModel, 'upstreamId' | 'capabilities'>,
  provider: Pick<Provider, 'runsTool'> | null,
  tool: Exclude<GenerationTool['kind'], 'function'>,
): boolean => {
  const said = provider?.runsTool?.(tool, upstreamId);
  return tool === 'web_search' ? said === true : capabilities.includes(tool) && said !== false;
};
