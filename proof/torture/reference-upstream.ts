import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from './random.ts';

/** What truly happened under one marker. */
export interface Executions {
  /** Whole requests that the model ran. */
  count: number;
  /** What the last of them used, in micro-credits of the torture price list. */
  costMicros: bigint;
  /** Requests that it refused without running. */
  refusals: number;
  /** Whether the last of them was answered with a measure. */
  measured: boolean;
}

/** The upstream of the killed gateways, which outlives them and so knows what ran. */
export interface ReferenceUpstream {
  /** Up to the version. */
  readonly url: string;
  /** By the marker in the prompt. */
  readonly executions: ReadonlyMap<string, Executions>;
  /** How many responses found no receiver: the caller had died. */
  cut(): number;
  close(): Promise<void>;
}

const markerPattern = /marker:([\w-]+)/;
/** How a prompt is answered is part of the prompt: the same request has the same fate in every process. */
const fatePattern = /fate:(\w+)/;

export type Fate = 'quick' | 'slow' | 'refused' | 'lost' | 'unmeasured';

const slowMsMax = 2_000;
const quickMsMax = 10;

const completion = (marker: string, promptTokens: number, completionTokens: number, measured: boolean): string =>
  JSON.stringify({
    id: `chatcmpl-${marker}`,
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'witness',
    choices: [{ index: 0, message: { role: 'assistant', content: `answer to ${marker}` }, finish_reason: 'stop' }],
    ...(measured
      ? {
          usage: {
            prompt_tokens: promptTokens,
            completion_tokens: completionTokens,
            total_tokens: promptTokens + completionTokens,
          },
        }
      : {}),
  });

/** Returns whether a process took the response: the gateway that asked may have been killed meanwhile. */
const reply = (response: ServerResponse, status: number, body: string): boolean => {
  if (response.destroyed) return false;
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  return true;
};

const answer = async (
  executions: Map<string, Executions>,
  random: Random,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> => {
  const body = await text(request);
  const marker = markerPattern.exec(body)?.[1] ?? 'none';
  const fate = fatePattern.exec(body)?.[1] ?? 'quick';
  const known = executions.get(marker) ?? { count: 0, costMicros: 0n, refusals: 0, measured: false };
  executions.set(marker, known);
  if (fate === 'refused') {
    known.refusals += 1;
    return reply(response, 400, '{"error":{"message":"refused before it ran"}}');
  }
  const [promptTokens, completionTokens] = [1 + random.below(900), 1 + random.below(300)];
  known.count += 1;
  known.measured = fate !== 'lost' && fate !== 'unmeasured';
  known.costMicros = BigInt(promptTokens) + 4n * BigInt(completionTokens);
  await delay(random.below(fate === 'slow' ? slowMsMax : quickMsMax));
  return fate === 'lost'
    ? reply(response, 504, '{"error":{"message":"the gateway before the model gave up"}}')
    : reply(response, 200, completion(marker, promptTokens, completionTokens, known.measured));
};

/** Starts the reference upstream on loopback. */
export const startReferenceUpstream = async (random: Random): Promise<ReferenceUpstream> => {
  const executions = new Map<string, Executions>();
  let cut = 0;
  const server = createServer((request, response) => {
    const counting = async (): Promise<void> => {
      if (!(await answer(executions, random, request, response))) cut += 1;
    };
    // A request that was cut short ran nothing, for it never came whole.
    counting().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    executions,
    cut: () => cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
