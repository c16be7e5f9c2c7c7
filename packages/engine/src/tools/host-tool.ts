import type { InteractionTool, JsonObject } from '@tollgate/provider';
import type { ToolBound, ToolContext, ToolOutcome, ToolRun, ToolRunner } from './tool-runner.ts';

/** A tool of the host's own, as a client asks for it. */
export interface HostTool {
  readonly kind: 'host_tool';
  /** Under which the host registered it. */
  readonly name: string;
}

/** A tool of an interaction: one that the contract names, or one of the host's own. */
export type AskedTool = InteractionTool | HostTool;

/**
 * A tool of the host's own, which the model sees as one function of its name. The client sees the steps `host_tool_call` and
 * `host_tool_result`.
 */
export interface HostToolRunner {
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters?: JsonObject;
  /** Whether a call that died in the middle may be run again: it reads only, and what it costs may be paid twice. */
  readonly isRepeatable: boolean;
  /** What one call can use at the most; it is reserved for, and a call that the reservation does not cover is not begun. */
  readonly callUsageMax: readonly ToolBound[];
  /** Runs one call. What goes wrong in the tool is an outcome with `isError`; a throw counts as one that used `callUsageMax`. */
  readonly run: (run: ToolRun, context: ToolContext) => Promise<ToolOutcome>;
}

/** A tool of the host's own in the form of those that the contract names. */
export const toToolRunner = (name: string, tool: HostToolRunner): ToolRunner<'host_tool'> => ({
  tool: 'host_tool',
  isRepeatable: tool.isRepeatable,
  callUsageMax: tool.callUsageMax,
  declare: () =>
    Promise.resolve([
      {
        name,
        ...(tool.description !== undefined && { description: tool.description }),
        ...(tool.parameters !== undefined && { parameters: tool.parameters }),
      },
    ]),
  stepArguments: (_setting, { arguments: given }) => ({ name, arguments: given }),
  run: (_setting, run, context) => tool.run(run, context),
});
