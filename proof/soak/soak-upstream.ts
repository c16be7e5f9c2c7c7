import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** How the model answers, as the prompt asks. */
export type SoakFate = 'quick' | 'slow' | 'big' | 'refused' | 'lost' | 'unmeasured';

const quickMs = 5;
const slowMs = 1_500;
/** More than lies in a row. */
const bigCharacters = 200_000;
const fatePattern = /fate:(\w+)/;

const completion = (content: string, measured: boolean): string =>
  JSON.stringify({
    id: 'chatcmpl-soak',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'soak',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    ...(measured ? { usage: { prompt_tokens: 40, completion_tokens: 60, total_tokens: 100 } } : {}),
  });

const answers: Readonly<Record<SoakFate, readonly [status: number, body: string]>> = {
  quick: [200, completion('x'.repeat(400), true)],
  slow: [200, completion('x'.repeat(400), true)],
  big: [200, completion('x'.repeat(bigCharacters), true)],
  unmeasured: [200, completion('x'.repeat(400), false)],
  refused: [400, '{"error":{"message":"refused before it ran"}}'],
  lost: [504, '{"error":{"message":"the gateway before the model gave up"}}'],
};

const isFate = (word: string | undefined): word is SoakFate => word !== undefined && Object.hasOwn(answers, word);

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [, word] = fatePattern.exec(await text(request)) ?? [];
  const fate = isFate(word) ? word : 'quick';
  await delay(fate === 'slow' ? slowMs : quickMs);
  const [status, body] = answers[fate];
  if (!response.destroyed) response.writeHead(status, { 'content-type': 'application/json' }).end(body);
};

/** A model on loopback that remembers nothing. */
export const startSoakUpstream = async (): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
