import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the proxy does with one request instead of passing it on. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly body?: string; readonly location?: string }
  | { readonly kind: 'silence' }
  /** Breaks the connection after that many bytes of the request's content. */
  | { readonly kind: 'cut_request'; readonly bytes: number }
  /** Breaks the connection after that many bytes of the answer's content. */
  | { readonly kind: 'cut_answer'; readonly bytes: number }
  /** Sends no more after that many bytes of the answer's content, and stays open. */
  | { readonly kind: 'stall_answer'; readonly bytes: number }
  /** Changes one bit of the answer's content. */
  | { readonly kind: 'bend_answer' };

export interface FaultProxy {
  readonly url: string;
  /** Requests that came, in order. */
  readonly seen: readonly { readonly method: string; readonly headers: IncomingMessage['headers'] }[];
  /** For the next requests, one each; later ones are passed on. */
  plan(...faults: readonly Fault[]): void;
  stop(): Promise<void>;
}

const passAnswer = (answer: IncomingMessage, response: ServerResponse, fault: Fault | undefined): void => {
  response.writeHead(answer.statusCode ?? 500, answer.headers);
  let sent = 0;
  answer.on('data', (piece: Buffer) => {
    if (fault?.kind === 'bend_answer' && sent === 0) piece[0] = (piece[0] ?? 0) ^ 1;
    const isCut = fault?.kind === 'cut_answer' || fault?.kind === 'stall_answer';
    const room = isCut ? Math.max(0, fault.bytes - sent) : piece.length;
    sent += piece.length;
    if (room > 0) response.write(piece.subarray(0, room));
    if (fault?.kind === 'cut_answer' && sent >= fault.bytes) setImmediate(() => response.socket?.destroy());
  });
  answer.on('end', () => {
    if (fault?.kind !== 'stall_answer') response.end();
  });
  answer.on('error', () => response.destroy());
};

const passOn = (
  targetPort: number,
  incoming: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
): void => {
  const { method, url, headers } = incoming;
  const onward = request({ host: '127.0.0.1', port: targetPort, method, path: url, headers });
  onward.on('response', (answer) => passAnswer(answer, response, fault));
  onward.on('error', () => response.destroy());
  incoming.on('error', () => onward.destroy());
  let received = 0;
  incoming.on('data', (piece: Buffer) => {
    received += piece.length;
    if (fault?.kind === 'cut_request' && received >= fault.bytes) {
      onward.destroy();
      incoming.destroy();
    }
  });
  incoming.pipe(onward);
};

const answerStatus = (response: ServerResponse, fault: Fault & { readonly kind: 'status' }): void => {
  const headers = fault.location === undefined ? {} : { location: fault.location };
  response.writeHead(fault.status, headers).end(fault.body ?? '');
};

/** Stands before a server and does faults on demand. The signed host is its own, which servers go by. */
export const startFaultProxy = async (targetPort: number): Promise<FaultProxy> => {
  const seen: { method: string; headers: IncomingMessage['headers'] }[] = [];
  const planned: Fault[] = [];
  const server = createServer((incoming, response) => {
    seen.push({ method: incoming.method ?? '', headers: incoming.headers });
    const fault = planned.shift();
    if (fault?.kind === 'status') answerStatus(response, fault);
    else if (fault?.kind !== 'silence') passOn(targetPort, incoming, response, fault);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server's address is an object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    plan: (...faults) => {
      planned.push(...faults);
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
