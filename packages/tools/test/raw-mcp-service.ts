import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { bodyOf } from './small-internet.ts';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly cursor?: string };
}

/** How a test responds to a method: with a text that stands for the result, or by itself. */
export type RawAnswer = string | ((message: Message, response: ServerResponse) => void);

const initialized = JSON.stringify({
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'raw', version: '1' },
});

/** The text of a response to a request. */
export const rawResponse = ({ id }: Message, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

/** A server of the older revision whose answers are what a test gives, byte for byte; notes every message that it receives. */
export const rawMcpService = (
  answers: Readonly<Record<string, RawAnswer>>,
): { readonly listener: RequestListener; readonly messages: Message[] } => {
  const messages: Message[] = [];
  const answer = (message: Message, response: ServerResponse): void => {
    if (message.method === undefined || message.id === undefined) return void response.writeHead(202).end();
    const given = answers[message.method] ?? (message.method === 'initialize' ? initialized : undefined);
    if (typeof given === 'function') return given(message, response);
    response.writeHead(200, { 'content-type': 'application/json' });
    if (given !== undefined) return void response.end(rawResponse(message, given));
    const error = { code: -32_601, message: 'Method not found' };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    // Sound: the client of the tests sends messages of the protocol.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const message = (body === '' ? {} : JSON.parse(body)) as Message;
    messages.push(message);
    answer(message, response);
  };
  return { messages, listener: (request, response) => void serve(request, response) };
};
