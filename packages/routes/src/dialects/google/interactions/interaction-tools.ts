import { isRecord, GatewayError, unknownFieldSentence } from '@tollgate/contract';
import { present } from '../../../present.ts';

const spelt = 'file_search_store_names';
/** Names of the contract, which these clients may write as well. */
const names = new Set(['type', 'stores', spelt]);

const storeOf = (name: unknown): unknown =>
  typeof name === 'string' ? name.replace(/^fileSearchStores\//, '').toLowerCase() : name;

const fromTool = (tool: unknown, place: number): unknown => {
  if (!isRecord(tool) || tool['type'] !== 'file_search') return tool;
  const unknown = Object.keys(tool).find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new GatewayError('unsupported_parameter', {
      detail: unknownFieldSentence(['tools', place, unknown], ['type', spelt]),
    });
  const stores = tool[spelt] ?? tool['stores'];
  return { type: 'file_search', ...present('stores', Array.isArray(stores) ? stores.map(storeOf) : stores) };
};

/**
 * The tools of an interaction, stores by their ids: these clients name them by `file_search_store_names`. Undefined for what is no
 * list, which the contract refuses.
 */
export const fromInteractionTools = (tools: unknown): readonly unknown[] | undefined =>
  Array.isArray(tools) ? tools.map(fromTool) : undefined;
