import { chatBounds, GatewayError } from '@tollgate/contract';
import type { GenerationTool } from '@tollgate/provider';

/** Refuses functions of one name, and more tools than a request may have. */
export const checkFunctions = (tools: readonly GenerationTool[]): void => {
  if (tools.length > chatBounds.toolsMax)
    throw new GatewayError('invalid_request', {
      detail: `The field tools holds ${tools.length} tools; accepted are at most ${chatBounds.toolsMax}.`,
    });
  const names = new Set<string>();
  for (const tool of tools) {
    if (tool.kind !== 'function') continue;
    if (names.has(tool.name))
      throw new GatewayError('invalid_request', {
        detail: 'The field tools holds two functions of one name; accepted are names that differ.',
      });
    names.add(tool.name);
  }
};
