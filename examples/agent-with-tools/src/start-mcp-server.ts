import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

export interface StartedMcpServer {
  readonly port: number;
  /** Credentials that came with the calls of tools. */
  readonly credentials: readonly (string | undefined)[];
  readonly close: () => void;
}

const stock: ReadonlyMap<string, number> = new Map([
  ['rope', 12],
  ['anchor', 3],
]);

const warehouse = (): McpServer => {
  const server = new McpServer({ name: 'warehouse', version: '1' });
  server.registerTool(
    'count_stock',
    { description: 'How many of an article are in stock.', inputSchema: z.object({ article: z.string() }) },
    ({ article }) => ({ content: [{ type: 'text', text: `${article}: ${stock.get(article) ?? 0} in stock` }] }),
  );
  server.registerTool('empty_warehouse', { description: 'Throws everything away.' }, () => {
    throw new Error('this must not be called');
  });
  return server;
};

const toRequest = async (message: IncomingMessage): Promise<Request> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) if (chunk instanceof Uint8Array) chunks.push(chunk);
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) if (typeof value === 'string') headers.set(name, value);
  const init = { method: message.method ?? 'GET', headers };
  return new Request(`http://warehouse.example.com${message.url}`, {
    ...init,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
};

const sendAnswer = async (answer: Response, response: ServerResponse): Promise<void> => {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
};

/** A warehouse that speaks MCP, on a free port of this machine. */
export const startMcpServer = async (): Promise<StartedMcpServer> => {
  const handler = createMcpHandler(warehouse);
  const credentials: (string | undefined)[] = [];
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    credentials.push(message.headers.authorization);
    await sendAnswer(await handler.fetch(await toRequest(message)), response);
  };
  const server = createServer((message, response) => void serve(message, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
  return {
    port: address.port,
    credentials,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
