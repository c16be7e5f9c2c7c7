import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseJson, type Json } from '../wire/json.ts';
import { composeAnswer } from './compose-answer.ts';
import { readDirectives } from './read-directives.ts';
import { refusalOf } from './refusal-of.ts';
import { writeCompletion } from './write-completion.ts';

/** One request that the gateway made. */
export interface UpstreamRequest {
  readonly path: string;
  readonly body: Json;
  readonly text: string;
}

/** An upstream that does what the texts of the cases ask for, and remembers what it was asked. */
export interface Upstream {
  /** The base address to configure as an upstream of the Chat Completions format. */
  readonly url: string;
  /** The requests whose body contains the text. */
  readonly about: (text: string) => readonly UpstreamRequest[];
  readonly close: () => Promise<void>;
}

const readText = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
};

/** The texts of a content: one text, or a list of parts. */
const textsOf = (content: Json): string =>
  content.text() +
  content
    .list()
    .map((part) => part.at('text').text())
    .join('\n');

/** The text of the last message, where it is a user's: directives stand there. */
const lastUserText = (body: Json): string => {
  const last = body.at('messages').list().at(-1);
  return last?.at('role').value === 'user' ? textsOf(last.at('content')) : '';
};

const vectorOf = (text: string, dimensions: number): readonly number[] =>
  Array.from({ length: dimensions }, (_, at) => ((text.charCodeAt(at % Math.max(1, text.length)) || 1) % 17) / 17);

const dimensionsUsual = 8;

const answerEmbeddings = (body: Json, response: ServerResponse): void => {
  const input = body.at('input');
  const texts = input.text() === '' ? input.list().map((one) => one.text()) : [input.text()];
  const dimensions = body.at('dimensions').number() || dimensionsUsual;
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, dimensions) }));
  const tokens = Math.ceil(texts.join('').length / 4);
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ object: 'list', model: body.at('model').text(), data, usage }));
};

const answer = async ({ path, body, text }: UpstreamRequest, response: ServerResponse): Promise<void> => {
  const isEmbedding = path.endsWith('/embeddings');
  const directives = readDirectives(isEmbedding ? text : lastUserText(body));
  const refusal = refusalOf(directives);
  if (refusal !== null) {
    const { status, code, message, headers } = refusal;
    const error = { error: { message, type: code, code } };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(error));
    return;
  }
  if (isEmbedding) answerEmbeddings(body, response);
  else
    await writeCompletion(response, composeAnswer(directives, text), {
      model: body.at('model').text(),
      stream: body.at('stream').value === true,
    });
};

/** Starts an upstream of the Chat Completions format at a port of this machine; port 0 takes a free one. */
export const startUpstream = async (port: number): Promise<Upstream> => {
  const requests: UpstreamRequest[] = [];
  const server = createServer((incoming, response) => {
    const reply = async (): Promise<void> => {
      const text = await readText(incoming);
      const request = { path: incoming.url ?? '', text, body: parseJson(text) };
      requests.push(request);
      await answer(request, response);
    };
    reply().catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}/v1`,
    about: (marker) => requests.filter(({ text }) => text.includes(marker)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
