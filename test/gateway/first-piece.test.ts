import type { OnCallPiece, OnParts } from '@tollgate/provider';
import { expect, onTestFinished, test } from 'vitest';
import { serveOwnGateway } from './served-gateway.ts';

const model = 'flash-2.5';
const messages = [{ role: 'user', content: 'Hello' }];

const wires = [
  ['chat', '/chat/completions', { model, messages, stream: true }],
  ['Messages', '/messages', { model, max_tokens: 100, messages, stream: true }],
  ['Responses', '/responses', { model, input: 'Hello', stream: true }],
  ['completions', '/completions', { model, prompt: 'Hello', stream: true }],
  [
    'streamGenerateContent',
    `/models/${model}:streamGenerateContent`,
    { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  ],
] as const;

const usage = [
  { unit: 'input_text_tokens', quantity: 10, confirmed: true },
  { unit: 'output_text_tokens', quantity: 5, confirmed: true },
] as const;
const pieces = ['First', 'Second', 'Third'];

/**
 * Hands over a piece where a turn of the event loop begins, as one that a socket brings, and returns what was written to the client's
 * socket before the end of the next turn. What is put off to the end of its own turn is written by then; what is put off once more
 * is not.
 */
const inOneTurn = (written: () => string, hand: () => void): Promise<string> =>
  new Promise((resolve) => {
    setTimeout(() => {
      const before = written().length;
      setImmediate(() => setImmediate(() => resolve(written().slice(before))));
      hand();
    }, 0);
  });

test.each(wires)('%s: writes each piece to the socket within the turn in which it came', async (_, path, body) => {
  const turns: string[] = [];
  let written = '';
  const own = await serveOwnGateway({
    drainMs: 0,
    compatibility: { openai: true, anthropic: true },
    generateStream: async (_call: unknown, _context: unknown, onParts: OnParts, _onCallPiece?: OnCallPiece) => {
      for (const text of pieces)
        turns.push(
          await inOneTurn(
            () => written,
            () => onParts([{ kind: 'text', text }]),
          ),
        );
      return { finish: 'stop', usage };
    },
  });
  onTestFinished(() => own.server.close());
  own.server.server.prependListener('request', (_request, { socket }) => {
    if (socket === null) return;
    const write = socket.write.bind(socket);
    // Every write of a response ends here.
    socket.write = (text: string | Uint8Array, ...rest: never[]): boolean => {
      written += String(text);
      return write(text, ...rest);
    };
  });
  const response = await fetch(`${own.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(await response.text()).toContain('Third');
  expect(turns.map((turn, at) => turn.includes(pieces[at] ?? ''))).toEqual([true, true, true]);
});
