import { checkConfiguration, optionsCheck } from '@tollgate/contract/configuration';
import type { ToolContext, ToolOutcome, ToolRunner, ToolSetting } from '@tollgate/engine';
import { createEgress, egressChecks, type Egress, type EgressOptions } from '@tollgate/node';
import { NotExecuted, type Usage } from '@tollgate/provider';
import { declareMcpTools } from './mcp/declare-mcp-tools.ts';
import { fromMcpResult } from './mcp/from-mcp-result.ts';
import { withMcpConnection } from './mcp/mcp-client.ts';
import { defaultMcpLimits, mcpLimitsCheck, type McpLimits } from './mcp/mcp-limits.ts';

export interface McpServerOptions extends Omit<EgressOptions, 'idleMs'> {
  readonly limits?: Partial<McpLimits>;
}

const { idleMs: _idleMs, ...egressWithoutIdle } = egressChecks;

const mcpServerCheck = optionsCheck<McpServerOptions>({ ...egressWithoutIdle, limits: mcpLimitsCheck });

type McpSetting = ToolSetting<'mcp_server'>;

const faultCharsMax = 500;
const oneCall: readonly Usage[] = [{ unit: 'mcp_calls', quantity: 1, confirmed: true }];

const serverName = ({ name, url }: McpSetting): string =>
  name ?? (URL.canParse(url) ? new URL(url).hostname : 'mcp_server');

/** What a server said of its failure, or that it said nothing. */
const faultOf = (cause: unknown): string =>
  `The server failed: ${cause instanceof Error ? cause.message.slice(0, faultCharsMax).toWellFormed() : 'unknown'}`;

/** The egress of a program with a limited network. */
const egressFor = (egress: Egress, { mayAsk }: ToolContext): Egress => ({
  ...egress,
  check: async (url) => {
    const isRefused = URL.canParse(url) && (await mayAsk(new URL(url))).kind === 'refused';
    return isRefused ? { kind: 'refused', reason: 'not_allowed' } : egress.check(url);
  },
  open: (request) => egress.open({ ...request, admit: mayAsk }),
});

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
  checkConfiguration('mcpServer', mcpServerCheck, options);
  const limits: McpLimits = { ...defaultMcpLimits, ...options.limits };
  const everywhere = createEgress(options);
  return {
    tool: 'mcp_server',
    // What a call does on a third party's server is unknown here.
    isRepeatable: false,
    callUsageMax: [{ unit: 'mcp_calls', quantity: 1 }],
    declare: async (setting, context) => {
      const egress = egressFor(everywhere, context);
      await checkAddress(egress, setting);
      try {
        const tools = await withMcpConnection({ egress, limits }, setting, context.signal, ({ list }) => list());
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
    run: async (setting, { name, arguments: args }, context): Promise<ToolOutcome> => {
      const parts = { egress: egressFor(everywhere, context), limits };
      let usage: readonly Usage[] = [];
      try {
        return await withMcpConnection(parts, setting, context.signal, async ({ list, call }) => {
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
