import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

/** A chat as the upstream was asked for it. */
export interface AskedChat {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** A call of a tool that the client declared. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}

/** What the upstream says next: calls, all at once, or words. `lost` breaks the connection, after the words where there are some. */
export type Reply =
  | { readonly kind: 'lost'; readonly text: string | null }
  | { readonly kind: 'calls'; readonly calls: readonly ToolCall[] }
  | { readonly kind: 'text'; readonly text: string };

export interface ScriptedUpstream {
  /** The base address of its chat completions. */
  readonly url: string;
  /** Every chat that it answered, in order. */
  readonly asked: readonly AskedChat[];
  readonly close: () => Promise<void>;
}

/** Of every answer. */
const usagePerAnswer = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
};

type Said = Exclude<Reply, { readonly kind: 'lost' }>;

const messageOf = (reply: Said, id: number): object =>
  reply.kind === 'text'
    ? { role: 'assistant', content: reply.text }
    : {
        role: 'assistant',
        content: null,
        tool_calls: reply.calls.map((call, index) => ({
          index,
          id: `call_${id}_${index}`,
          type: 'function',
          function: { name: call.name, arguments: JSON.stringify(call.arguments) },
        })),
      };

const finishOf = (reply: Said): string => (reply.kind === 'text' ? 'stop' : 'tool_calls');

const unaryOf = (chat: AskedChat, reply: Said, id: number): string =>
  JSON.stringify({
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: chat.model,
    choices: [{ index: 0, message: messageOf(reply, id), finish_reason: finishOf(reply) }],
    usage: usagePerAnswer,
  });

const streamOf = (chat: AskedChat, reply: Said, id: number): string => {
  const head = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: 1_700_000_000, model: chat.model };
  const chunks = [
    { ...head, choices: [{ index: 0, delta: messageOf(reply, id), finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: finishOf(reply) }] },
    { ...head, choices: [], usage: usagePerAnswer },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
};

/** An upstream that speaks chat completions, whole and as a stream, and says what a script makes of each chat. */
export const startScriptedUpstream = async (replyTo: (chat: AskedChat) => Reply): Promise<ScriptedUpstream> => {
  const asked: AskedChat[] = [];
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const chat = body as AskedChat;
      asked.push(chat);
      const streamed = chat.stream === true;
      const reply = replyTo(chat);
      response.setHeader('content-type', streamed ? 'text/event-stream' : 'application/json');
      if (reply.kind !== 'lost') response.end((streamed ? streamOf : unaryOf)(chat, reply, asked.length));
      else if (reply.text === null || !streamed) response.destroy();
      else {
        const [first = ''] = streamOf(chat, { kind: 'text', text: reply.text }, asked.length).split('\n\n');
        response.write(`${first}\n\n`, () => response.destroy());
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
};
