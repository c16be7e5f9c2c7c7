import { toToolRunner, type AskedTool } from './host-tool.ts';
import type { ToolRunner, ToolRunners } from './tool-runner.ts';

/** Tools that something other than the client runs, as far as it tells them apart. */
type Runnable = { readonly kind: Exclude<AskedTool['kind'], 'function' | 'host_tool'> } | HostTool;
type HostTool = Extract<AskedTool, { readonly kind: 'host_tool' }>;

/** The runner of a tool; undefined where the gateway has none. */
export const findRunner = (runners: ToolRunners, tool: Runnable): ToolRunner | undefined => {
  if (tool.kind !== 'host_tool')
    // Sound: the table holds under a kind the runner of settings of that kind, and is asked for no other.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return runners[tool.kind] as ToolRunner | undefined;
  const { own = {} } = runners;
  const found = Object.hasOwn(own, tool.name) ? own[tool.name] : undefined;
  // Sound: a runner of the host's own is asked for settings of its kind alone.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return found === undefined ? undefined : (toToolRunner(tool.name, found) as ToolRunner);
};
