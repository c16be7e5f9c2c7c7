import { model } from '../torture/victim-setup.ts';

/** A wire that streams, as a raw client of it reads a stream. */
export interface KilledWire {
  readonly name: string;
  readonly path: string;
  readonly body: (prompt: string) => object;
  /** What no stream holds that has not succeeded. */
  readonly success: string;
}

const messages = (prompt: string) => [{ role: 'user', content: prompt }];

export const killedWires: readonly KilledWire[] = [
  {
    name: 'chat',
    path: '/chat/completions',
    body: (prompt) => ({ model, messages: messages(prompt), stream: true }),
    success: '[DONE]',
  },
  {
    name: 'messages',
    path: '/messages',
    body: (prompt) => ({ model, max_tokens: 100, messages: messages(prompt), stream: true }),
    success: 'message_stop',
  },
  {
    name: 'responses',
    path: '/responses',
    body: (prompt) => ({ model, input: prompt, stream: true }),
    success: 'response.completed',
  },
  { name: 'completions', path: '/completions', body: (prompt) => ({ model, prompt, stream: true }), success: '[DONE]' },
  {
    name: 'generate',
    path: `/models/${model}:streamGenerateContent`,
    body: (prompt) => ({ contents: [{ role: 'user', parts: [{ text: prompt }] }] }),
    success: 'content.completed',
  },
];

export interface Killing {
  readonly origin: string;
  readonly key: string;
}

/** What a client got of a stream: its status, what it read, and whether the connection broke. */
export interface ReadStream {
  readonly status: number;
  readonly text: string;
  readonly broke: boolean;
}

const basePath = '/api/v1/ai';

export const send = (
  { origin, key }: Killing,
  path: string,
  { body, identity }: { readonly body?: object; readonly identity?: string } = {},
): Promise<Response> =>
  fetch(`${origin}${basePath}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(identity === undefined ? {} : { 'idempotency-key': identity }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Reads a stream to wherever it ends; `onText` is called with what there is so far. */
export const readStream = async (
  killing: Killing,
  wire: KilledWire,
  prompt: string,
  onText: (text: string) => void = () => {},
): Promise<ReadStream> => {
  let status = 0;
  let text = '';
  try {
    const response = await send(killing, wire.path, { body: wire.body(prompt), identity: prompt });
    status = response.status;
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      onText(text);
    }
    return { status, text, broke: false };
  } catch {
    return { status, text, broke: true };
  }
};
