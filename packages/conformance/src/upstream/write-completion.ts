import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Composed } from './compose-answer.ts';

const callsOf = ({ toolCalls }: Composed): readonly object[] =>
  toolCalls.map(({ name, arguments: json }, index) => ({
    index,
    id: `call_${randomUUID()}`,
    type: 'function',
    function: { name, arguments: json },
  }));

const frame = (model: string, object: string) => ({
  id: `chatcmpl-${randomUUID()}`,
  object,
  created: Math.floor(Date.now() / 1_000),
  model,
});

/** The whole completion. */
const writeWhole = async (response: ServerResponse, composed: Composed, model: string): Promise<void> => {
  await sleep(composed.pauseMs * Math.max(0, composed.pieces.length - 1));
  const calls = callsOf(composed);
  const message = {
    role: 'assistant',
    content: composed.pieces.join('') || null,
    tool_calls: calls.length === 0 ? undefined : calls,
  };
  const choices = [{ index: 0, message, finish_reason: composed.finish }];
  const usage = composed.usage ?? undefined;
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ...frame(model, 'chat.completion'), choices, usage }));
};

/** The completion piece by piece. */
const writePieces = async (response: ServerResponse, composed: Composed, model: string): Promise<void> => {
  const shared = frame(model, 'chat.completion.chunk');
  const say = (body: object): boolean => response.write(`data: ${JSON.stringify({ ...shared, ...body })}\n\n`);
  const delta = (fields: object, finish: string | null = null): boolean =>
    say({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  delta({ role: 'assistant', content: '' });
  for (const [at, piece] of composed.pieces.entries()) {
    if (composed.lostAfter === at) {
      response.destroy();
      return;
    }
    if (at > 0) await sleep(composed.pauseMs);
    delta({ content: piece });
  }
  if (composed.lostAfter !== null) {
    response.destroy();
    return;
  }
  const calls = callsOf(composed);
  if (calls.length > 0) delta({ tool_calls: calls });
  delta({}, composed.finish);
  if (composed.usage !== null) say({ choices: [], usage: composed.usage });
  response.end('data: [DONE]\n\n');
};

/** Writes what was composed, in the form that was asked for. */
export const writeCompletion = async (
  response: ServerResponse,
  composed: Composed,
  asked: { readonly model: string; readonly stream: boolean },
): Promise<void> => {
  await sleep(composed.delayMs, undefined, { ref: false });
  if (response.destroyed) return;
  if (composed.lostAfter === 0 || (composed.lostAfter !== null && !asked.stream)) response.destroy();
  else if (asked.stream) await writePieces(response, composed, asked.model);
  else await writeWhole(response, composed, asked.model);
};
