import { request as requestHttp, type Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { request as requestHttps, type Agent as HttpsAgent } from 'node:https';
import type { CheckedUrl } from './address-guard.ts';
import { openSocket, type ConnectChecked, type TlsTrust } from './connect-checked.ts';

/** Agents of the host through which requests leave, in place of direct connections to checked addresses. */
export interface EgressAgents {
  readonly http?: HttpAgent;
  readonly https?: HttpsAgent;
}

/** How a request leaves. */
export interface EgressPath extends TlsTrust {
  readonly connect: ConnectChecked;
  readonly agents?: EgressAgents;
}

/** What is sent, by whom it may be stopped. */
export interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal: AbortSignal;
}

const headerBytesMax = 16_384;

const agentFor = ({ protocol }: URL, agents: EgressAgents): HttpAgent | undefined =>
  protocol === 'https:' ? agents.https : agents.http;

/** Named and measured here: no header of a caller's leads to another server of the same address, or leaves lengths to guess. */
const framed = ({ headers, body }: Outgoing, { host }: URL): Record<string, string> => ({
  ...headers,
  ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  host,
});

/** The part of the options that says where to: a socket of our own to a checked address, or the host's agent. */
const routeOf = (
  target: CheckedUrl,
  path: EgressPath,
): { agent: HttpAgent } | { createConnection: () => ReturnType<ConnectChecked> } => {
  if (path.agents === undefined) return { createConnection: () => openSocket(target, path.connect, path) };
  const agent = agentFor(target.url, path.agents);
  if (agent === undefined) throw new Error(`The host gave no agent for ${target.url.protocol}`);
  return { agent };
};

/**
 * Makes one request and answers its response, the body unread. Follows nothing, keeps no connection, and takes no notice of
 * proxy variables. Throws where no response comes, or the signal aborts.
 */
export const exchange = (target: CheckedUrl, outgoing: Outgoing, path: EgressPath): Promise<IncomingMessage> => {
  const { url } = target;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)({
    ...routeOf(target, path),
    host: url.hostname,
    path: `${url.pathname}${url.search}`,
    method: outgoing.method,
    headers: framed(outgoing, url),
    signal: outgoing.signal,
    maxHeaderSize: headerBytesMax,
  });
  request.on('error', reject);
  // A server that switches protocols, or leaves without a word, answers nothing.
  request.on('close', () => reject(new Error('The connection was closed before an answer')));
  request.on('response', resolve);
  request.end(outgoing.body);
  return promise;
};
