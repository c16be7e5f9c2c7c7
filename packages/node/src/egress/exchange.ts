import type { Agent as HttpAgent, ClientRequest, ClientRequestArgs, IncomingMessage } from 'node:http';
import { request as requestHttps, type Agent as HttpsAgent } from 'node:https';
import { nodeHttp } from '../node-http.ts';
import type { CheckedUrl } from './address-guard.ts';
import { portOf, type ConnectChecked } from './connect-checked.ts';
import { exchangedOf, type Exchanged } from './exchanged.ts';
import type { KeptConnections } from './kept-connections.ts';
import { headerBytesMax, type Outgoing } from './outgoing.ts';

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

type NodePath = Exclude<EgressPath, { readonly kind: 'kept' }>;

const connection = (target: CheckedUrl, path: NodePath): Pick<ClientRequestArgs, 'agent' | 'createConnection'> =>
  path.kind === 'fresh' ? { createConnection: () => path.open(target) } : { agent: agentFor(target.url, path.agents) };

/** A kept connection may turn out to have been closed by the other side when it is used again; nothing was read then. */
const wasStale = ({ reusedSocket }: ClientRequest, cause: Error): boolean =>
  reusedSocket && 'code' in cause && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE');

const sendOnce = (args: ClientRequestArgs, { body, deadline }: Outgoing): Promise<IncomingMessage | 'stale'> =>
  new Promise((resolve, reject) => {
    const request = (args.protocol === 'https:' ? requestHttps : nodeHttp.request)(args);
    request.on('error', (cause) => (wasStale(request, cause) ? resolve('stale') : reject(cause)));
    // A server that switches protocols, or leaves without a word, returns nothing.
    request.on('close', () => reject(new Error('The connection was closed before an answer')));
    request.on('response', resolve);
    // The connection of a response that is still read ends with it.
    deadline.stopBy(() => void request.destroy(new Error('The time is over')));
    request.end(body);
  });

const exchangeByNode = async (target: CheckedUrl, outgoing: Outgoing, path: NodePath): Promise<Exchanged> => {
  const { url } = target;
  const args = {
    ...connection(target, path),
    protocol: url.protocol,
    host: url.hostname,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    method: outgoing.method,
    headers: framed(outgoing, url),
    maxHeaderSize: headerBytesMax,
  };
  // Each try uses up one connection that the agent kept, of which there is a bounded number.
  for (;;) {
    const answer = await sendOnce(args, outgoing);
    if (answer !== 'stale') return exchangedOf(answer);
  }
};

/**
 * Makes one request and returns its response, the body unread. Follows nothing, and ignores proxy variables.
 * Throws where no response comes, or the signal aborts.
 */
export const exchange = (target: CheckedUrl, outgoing: Outgoing, path: EgressPath): Promise<Exchanged> =>
  path.kind === 'kept' ? path.connections.send(target, outgoing) : exchangeByNode(target, outgoing, path);
