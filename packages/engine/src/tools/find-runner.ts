import type { AskedTool, HostTool } from './asked-tool.ts';
import type { HostToolRunner, ToolRunner, ToolRunners } from './tool-runner.ts';

/** Tools that something other than the client runs, as far as it tells them apart. */
type Runnable = { readonly kind: Exclude<AskedTool['kind'], 'function' | 'host_tool'> } | HostTool;

/** A tool of the host's own in the form of those that the contract names: it has nothing to be set up. */
const toToolRunner = (name: string, tool: HostToolRunner): ToolRunner => ({
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

/** The runner of a tool; undefined where the gateway has none. */
export const findRunner = (runners: ToolRunners, tool: Runnable): ToolRunner | undefined => {
  if (tool.kind !== 'host_tool')
    // Sound: the table holds under a kind the runner of settings of that kind, and is asked for no other.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return runners[tool.kind] as ToolRunner | undefined;
  const { own = {} } = runners;
  const found = Object.hasOwn(own, tool.name) ? own[tool.name] : undefined;
  return found === undefined ? undefined : toToolRunner(tool.name, found);
};
