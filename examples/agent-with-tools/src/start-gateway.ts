import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { codeExecution, mcpServer } from '@tollgate/tools';
import { createGateway, microsFromCredits, sandboxProvider, serve, sqliteStorage, type Gateway } from 'tollgate';

export interface StartedGateway {
  /** What a client takes as its base address. */
  readonly baseUrl: string;
  readonly key: string;
  readonly admin: Gateway['admin'];
  readonly close: () => Promise<void>;
}

/**
 * The host's own way out, in place of the guarded one, which goes nowhere but to the public internet: every name leads to the
 * server of this example. A real host has a filtering proxy here, or nothing.
 */
const wayTo = (port: number): Agent => {
  const agent = new Agent();
  agent.createConnection = () => connect(port, '127.0.0.1');
  return agent;
};

/** A gateway on a free port that runs Python and calls MCP servers, with its files in a folder that goes when it is closed. */
export const startGateway = async (mcpPort: number): Promise<StartedGateway> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-agent-with-tools-'));
  const gateway = await createGateway({
    storage: sqliteStorage({ path: path.join(folder, 'tollgate.db') }),
    provider: sandboxProvider(),
    tools: {
      code_execution: codeExecution({ cacheFolder: path.join(folder, 'python') }),
      mcp_server: mcpServer({ schemes: ['http'], agents: { http: wayTo(mcpPort) } }),
    },
  });
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'example' });
  await admin.deposit({ accountId: account.id, amountMicros: microsFromCredits(100), reference: 'example' });
  const project = await admin.createProject({ accountId: account.id, name: 'example' });
  const key = project === null ? null : await admin.createKey({ projectId: project.id, model: 'flash-2.5' });
  if (key === null) throw new Error('the key could not be made');
  const server = await serve(gateway, { port: 0 });
  return {
    baseUrl: `${server.origin}/api/v1/ai`,
    key: key.key,
    admin,
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
