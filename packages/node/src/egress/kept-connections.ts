import type { Agent as HttpAgent, ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { CheckedUrl } from './address-guard.ts';
import { nodeHttp } from '../node-http.ts';
import type { ConnectChecked } from './connect-checked.ts';

/** Options of a request, which carry what was checked to where its connection is chosen. */
export interface PinnedArgs extends ClientRequestArgs {
  readonly target: CheckedUrl;
}

export interface KeptConnections {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

const freePerNameMax = 8;

const isPinned = (args: ClientRequestArgs | undefined): args is PinnedArgs => args !== undefined && 'target' in args;

const targetOf = (args: ClientRequestArgs | undefined): CheckedUrl => {
  if (!isPinned(args)) throw new Error('A kept connection is for checked addresses only');
  return args.target;
};

/** A connection is used again only for the very addresses that it was opened for. */
const pinned = <A extends HttpAgent>(agent: A, open: ConnectChecked): A => {
  const nameOf = agent.getName.bind(agent);
  return Object.assign(agent, {
    getName: (args?: ClientRequestArgs) => `${nameOf(args)}:${targetOf(args).addresses.toSorted().join()}`,
    createConnection: (args: ClientRequestArgs) => open(targetOf(args)),
  });
};

/** Agents that keep connections to checked addresses for a while, and open them by `open`. */
export const createKeptConnections = (open: ConnectChecked, idleMs: number): KeptConnections => {
  const options = { keepAlive: true, maxFreeSockets: freePerNameMax, timeout: idleMs };
  return { http: pinned(new nodeHttp.Agent(options), open), https: pinned(new HttpsAgent(options), open) };
};
