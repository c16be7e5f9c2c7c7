import type { Agent as HttpAgent, ClientRequest, ClientRequestArgs, IncomingMessage } from 'node:http';
import { request as requestHttps, type Agent as HttpsAgent } from 'node:https';
import { nodeHttp } from '../node-http.ts';
import type { CheckedUrl } from './address-guard.ts';
import { portOf, type ConnectChecked } from './connect-checked.ts';
import type { KeptConnections, PinnedArgs } from './kept-connections.ts';

/** Agents of the host through which requests leave, in place of connections to checked addresses. */
export interface EgressAgents {
  readonly http?: HttpAgent;
  readonly https?: HttpsAgent;
}

/** How a request leaves: over a connection of its own, over one that may be kept, or by an agent of the host. */
export type EgressPath =
  | { readonly kind: 'fresh'; readonly open: ConnectChecked }
  | { readonly kind: 'kept'; readonly connections: KeptConnections }
  | { readonly kind: 'host'; readonly agents: EgressAgents };

/** What is sent, and by what it is stopped. */
export interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  readonly signal: AbortSignal;
}

const headerBytesMax = 16_384;

/** Named and measured here: no header of a caller's leads to another server of the same address, or leaves lengths to guess. */
const framed = ({ headers, body }: Outgoing, { host }: URL): Record<string, string> => ({
  ...headers,
  ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  host,
});

const agentFor = ({ protocol }: URL, { http, https }: EgressAgents): HttpAgent => {
  const agent = protocol === 'https:' ? https : http;
  if (agent === undefined) throw new Error(`The host gave no agent for ${protocol}`);
  return agent;
};

const connection = (target: CheckedUrl, path: EgressPath): Partial<PinnedArgs> => {
  switch (path.kind) {
    case 'fresh':
      return { createConnection: () => path.open(target) };
    case 'kept':
      return { target, agent: agentFor(target.url, path.connections) };
    case 'host':
      return { agent: agentFor(target.url, path.agents) };
  }
};

/** A kept connection may turn out to have been closed by the other side when it is used again; nothing was read then. */
const wasStale = ({ reusedSocket }: ClientRequest, cause: Error): boolean =>
  reusedSocket && 'code' in cause && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE');

const sendOnce = (args: ClientRequestArgs, outgoing: Outgoing): Promise<IncomingMessage | 'stale'> => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage | 'stale'>();
  const request = (args.protocol === 'https:' ? requestHttps : nodeHttp.request)(args);
  request.on('error', (cause) => (wasStale(request, cause) ? resolve('stale') : reject(cause)));
  // A server that switches protocols, or leaves without a word, returns nothing.
  request.on('close', () => reject(new Error('The connection was closed before an answer')));
  request.on('response', resolve);
  request.end(outgoing.body);
  return promise;
};

/**
 * Makes one request and returns its response, the body unread. Follows nothing, and ignores proxy variables.
 * Throws where no response comes, or the signal aborts.
 */
export const exchange = async (target: CheckedUrl, outgoing: Outgoing, path: EgressPath): Promise<IncomingMessage> => {
  const { url } = target;
  const args = {
    ...connection(target, path),
    protocol: url.protocol,
    host: url.hostname,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    method: outgoing.method,
    headers: framed(outgoing, url),
    signal: outgoing.signal,
    maxHeaderSize: headerBytesMax,
  };
  // Each try uses up one kept connection, of which there is a bounded number.
  for (;;) {
    const answer = await sendOnce(args, outgoing);
    if (answer !== 'stale') return answer;
  }
};
