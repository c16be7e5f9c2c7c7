import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { bodyOf } from './small-internet.ts';

/** What a server was asked, as it came over the wire. */
export interface SeenRequest {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  /** The methods of the protocol in the body. */
  readonly asked: string;
}

const toRequest = (message: IncomingMessage, body: string): Request => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) if (typeof value === 'string') headers.set(name, value);
  const { method = 'GET' } = message;
  return new Request(`http://mcp.example.org${message.url}`, { method, headers, ...(body !== '' && { body }) });
};

const send = async (answer: Response, response: ServerResponse): Promise<void> => {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const chunk of answer.body ?? []) response.write(chunk);
  response.end();
};

/** Serves real tools over the official server, and notes what it is asked. */
export const mcpService = (
  create: () => McpServer,
): { readonly listener: RequestListener; readonly seen: SeenRequest[] } => {
  const handler = createMcpHandler(create);
  const seen: SeenRequest[] = [];
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(message);
    const [, asked = ''] = /"method":"([^"]+)"/u.exec(body) ?? [];
    seen.push({ method: message.method ?? '', headers: message.headers, asked });
    await send(await handler.fetch(toRequest(message, body)), response);
  };
  return { seen, listener: (message, response) => void serve(message, response) };
};
