import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

/** An upstream that says what it is ordered to, and knows what was asked of it. */
export interface StreamUpstream {
  /** Up to the version. */
  readonly url: string;
  /** Requests with this text so far. */
  readonly asked: (prompt: string) => number;
  /** Resolves when so many requests have come in all. */
  readonly received: (count: number) => Promise<void>;
  /** Sends the first piece of every answer that waits. */
  readonly begin: () => void;
  /** Sends the rest of every answer that has begun, its end and its usage. */
  readonly finish: () => void;
  readonly close: () => Promise<void>;
}

const chunk = (delta: object, rest: object = {}): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-upstream', choices: [{ index: 0, delta, finish_reason: null }], ...rest })}\n\n`;

const end = `${chunk({ content: ' day.' })}data: ${JSON.stringify({
  id: 'chatcmpl-upstream',
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
})}\n\ndata: [DONE]\n\n`;

const promptPattern = /prompt-[\w-]+/;

export const startStreamUpstream = async (): Promise<StreamUpstream> => {
  const asked = new Map<string, number>();
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let responses: ServerResponse[] = [];
  let begun: ServerResponse[] = [];
  let received = 0;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [prompt = ''] = promptPattern.exec(await text(request)) ?? [];
    asked.set(prompt, (asked.get(prompt) ?? 0) + 1);
    received += 1;
    responses.push(response);
    for (const { count, resolve } of waiting) if (received >= count) resolve();
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked: (prompt) => asked.get(prompt) ?? 0,
    received: (count) =>
      new Promise((resolve) => {
        if (received >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    begin: () => {
      begun = responses;
      responses = [];
      for (const response of begun)
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk({ content: 'Good' }));
    },
    finish: () => {
      for (const response of begun) response.end(end);
      begun = [];
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
