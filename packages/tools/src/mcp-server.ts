import type { ToolOutcome, ToolRunner, ToolSetting } from '@tollgate/engine';
import { createEgress, type Egress, type EgressOptions } from '@tollgate/node';
import { NotExecuted, type Usage } from '@tollgate/provider';
import { declareMcpTools } from './mcp/declare-mcp-tools.ts';
import { fromMcpResult } from './mcp/from-mcp-result.ts';
import { withMcpConnection } from './mcp/mcp-client.ts';
import { defaultMcpLimits, type McpLimits } from './mcp/mcp-limits.ts';

export interface McpServerOptions extends Omit<EgressOptions, 'idleMs'> {
  readonly limits?: Partial<McpLimits>;
}

type McpSetting = ToolSetting<'mcp_server'>;

const faultCharsMax = 500;
const oneCall: readonly Usage[] = [{ unit: 'mcp_calls', quantity: 1, confirmed: true }];

const serverName = ({ name, url }: McpSetting): string =>
  name ?? (URL.canParse(url) ? new URL(url).hostname : 'mcp_server');

/** What a server said of its failure, or that it said nothing. */
const faultOf = (cause: unknown): string =>
  `The server failed: ${cause instanceof Error ? cause.message.slice(0, faultCharsMax).toWellFormed() : 'unknown'}`;

/** An address that requests do not go to is the client's fault, told before anything is spent. */
const checkAddress = async (egress: Egress, { url }: McpSetting): Promise<void> => {
  const verdict = await egress.check(url);
  if (verdict.kind === 'refused')
    throw new NotExecuted({
      reason: 'invalid_request',
      cause: `an MCP server at a refused address: ${verdict.reason}`,
    });
};

/**
 * Tools of servers that clients name, by the official client over streamable HTTP. Addresses pass the guarded egress, HTTPS
 * alone unless the host says otherwise; headers go to that server and nowhere else; only allowed tools are declared or called.
 * Each call connects anew, so that a server keeps no state between calls. A call that was begun is one of `mcp_calls`.
 */
export const mcpServer = (options: McpServerOptions = {}): ToolRunner<'mcp_server'> => {
  const limits: McpLimits = { ...defaultMcpLimits, ...options.limits };
  const egress = createEgress(options);
  const parts = { egress, limits };
  return {
    tool: 'mcp_server',
    // What a call does on a server of somebody else, nobody here can tell.
    isRepeatable: false,
    callUsageMax: [{ unit: 'mcp_calls', quantity: 1 }],
    declare: async (setting, { signal }) => {
      await checkAddress(egress, setting);
      try {
        const tools = await withMcpConnection(parts, setting, signal, ({ list }) => list());
        return declareMcpTools(tools, setting.allowedTools, limits).map(({ declared }) => declared);
      } catch (cause) {
        throw new NotExecuted({ reason: 'unavailable', cause });
      }
    },
    stepArguments: (setting, { name, arguments: args }) => ({
      name,
      server_name: serverName(setting),
      arguments: args,
    }),
    run: async (setting, { name, arguments: args }, { signal }): Promise<ToolOutcome> => {
      let usage: readonly Usage[] = [];
      try {
        return await withMcpConnection(parts, setting, signal, async ({ list, call }) => {
          const known = declareMcpTools(await list(), setting.allowedTools, limits);
          const tool = known.find(({ declared }) => declared.name === name);
          if (tool === undefined) return { result: 'The server no longer has this tool.', isError: true, usage };
          usage = oneCall;
          const answer = await call(tool.toolName, args);
          const result = fromMcpResult(answer, limits.resultCharsMax);
          return { result, usage, ...(answer.isError === true && { isError: true }) };
        });
      } catch (cause) {
        return { result: faultOf(cause), isError: true, usage };
      }
    },
  };
};
