import { request as ask, type Agent } from 'node:http';
import { text } from 'node:stream/consumers';
import { model } from './victim-setup.ts';
import type { Fate } from './reference-upstream.ts';

/** One request as a client would send it again. */
export interface ClientRequest {
  readonly identity: string;
  /** Tells bodies under one identity apart; the reference upstream sees it. */
  readonly marker: string;
  readonly fate: Fate;
  readonly key: string;
}

/** A whole answer, or null where the connection broke. */
export type ClientAnswer = {
  readonly status: number;
  readonly body: string;
  readonly requestId: string | null;
  readonly replayed: boolean;
} | null;

const bodyOf = ({ marker, fate }: ClientRequest): string =>
  JSON.stringify({ model, messages: [{ role: 'user', content: `marker:${marker} fate:${fate}` }] });

/** Any request to the routes of a gateway. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends it; returns null where no whole answer came. */
export const send = (agent: Agent, origin: string, call: Call): Promise<ClientAnswer> =>
  new Promise((resolve) => {
    const { method, headers } = call;
    const broken = (): void => resolve(null);
    const request = ask(`${origin}/api/v1/ai${call.path}`, { agent, method, headers }, (response) => {
      text(response).then(
        (body) =>
          resolve({
            status: response.statusCode ?? 0,
            body,
            requestId: String(response.headers['x-request-id'] ?? ''),
            replayed: response.headers['idempotency-replayed'] === 'true',
          }),
        broken,
      );
    });
    request.on('error', broken);
    request.end(call.body);
  });

/** Asks for a chat; returns null where no whole answer came. */
export const sendChat = (agent: Agent, origin: string, request: ClientRequest): Promise<ClientAnswer> => {
  const headers = {
    authorization: `Bearer ${request.key}`,
    'content-type': 'application/json',
    'idempotency-key': request.identity,
  };
  return send(agent, origin, { method: 'POST', path: '/chat/completions', headers, body: bodyOf(request) });
};

/** Reads the record of a request. */
export const readRequest = (agent: Agent, origin: string, key: string, id: string): Promise<ClientAnswer> =>
  send(agent, origin, {
    method: 'GET',
    path: `/requests/${id}`,
    headers: { authorization: `Bearer ${key}` },
    body: '',
  });
