import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { defaultNodeLimits } from './node-limits.ts';
import { readNodeChunks } from './read-node-chunks.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const bytesMax = 64 * 1024 * 1024;
const sent = Buffer.alloc(8 * 1024 * 1024, 'every byte in its place ');

/** Sends the body to a server that returns what is made of its request. */
const answerOf = async (answer: (request: IncomingMessage) => Promise<string>): Promise<string> => {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.end(await answer(request));
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  const request = send({ port, host: '127.0.0.1', method: 'POST' });
  // A server that has enough closes the connection, which is no fault of the test.
  request.on('error', () => undefined).end(sent);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
};

const isSent = (chunks: readonly Uint8Array[]): string => String(Buffer.concat(chunks).equals(sent));

test('reads a large body byte for byte, each chunk good until the next is asked for', async () => {
  const answer = answerOf(async (request) => {
    const copies: Uint8Array[] = [];
    for await (const chunk of readNodeChunks(request, bytesMax, defaultNodeLimits)) {
      await delay(copies.length % 40 === 0 ? 1 : 0);
      copies.push(Uint8Array.from(chunk));
    }
    return isSent(copies);
  });
  expect(await answer).toBe('true');
});

test('leaves a chunk alone that a middleware of the host listens for as well', async () => {
  const answer = answerOf(async (request) => {
    const kept: Buffer[] = [];
    request.on('data', (chunk: Buffer) => kept.push(chunk));
    for await (const chunk of readNodeChunks(request, bytesMax, defaultNodeLimits))
      expect(chunk.length).toBeGreaterThan(0);
    return isSent(kept);
  });
  expect(await answer).toBe('true');
});

test('leaves with the client what is not read', async () => {
  const answer = answerOf(async (request) => {
    const chunks = readNodeChunks(request, bytesMax, defaultNodeLimits);
    await chunks.next();
    await delay(200);
    const { bytesRead } = request.socket;
    await chunks.return();
    return String(bytesRead < 1024 * 1024);
  });
  expect(await answer).toBe('true');
});
