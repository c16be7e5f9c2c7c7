import type { ToolRunner } from '@tollgate/engine';
import type { InteractionTool, ToolName } from '@tollgate/provider';

export type ToolSetting<T extends ToolName> = Extract<InteractionTool, { readonly kind: T }>;

/** A tool that responds with how it was set up and what it was asked for. */
export const telling = <T extends ToolName>(tool: T, seen: ToolSetting<T>[] = []): ToolRunner<T> => ({
  tool,
  isRepeatable: true,
  callUsageMax: [],
  declare: () => Promise.resolve([{ name: tool, parameters: { type: 'object' } }]),
  stepArguments: (_setting, run) =>
    tool === 'mcp_server' ? { name: 'look', server_name: 'library', arguments: run.arguments } : run.arguments,
  run: (setting, run) => {
    seen.push(setting);
    return Promise.resolve({ result: run.arguments, usage: [] });
  },
});
