import type { Kit } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';
import type { Answer } from '../wire/exchange.ts';
import { parseJson, type Json } from '../wire/json.ts';
import type { KitSocket } from '../wire/open-socket.ts';

export const liveBody = { config: { generationConfig: { responseModalities: ['TEXT'] } } } as const;

export const liveTurn = (text: string): string =>
  JSON.stringify({ clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true } });

export const createSession = (kit: Kit, body: unknown = liveBody, headers = {}): Promise<Answer> =>
  kit.send({ by: 'realtime', path: '/live', body, headers });

export const accessOf = async (kit: Kit, rule: RuleId, body: unknown = liveBody): Promise<Json> =>
  kit.taken(rule, await createSession(kit, body));

export const accessFrame = (access: Json, key = access.at('access_key').text()): string =>
  JSON.stringify({ id: access.at('id').text(), access_key: key });

/** Brings an access to a fresh socket. */
export const bring = async (kit: Kit, access: Json, frame = accessFrame(access)): Promise<KitSocket> => {
  const socket = await kit.socket(access.at('url').text());
  socket.send(frame);
  return socket;
};

export const nextJson = async (socket: KitSocket): Promise<Json> => parseJson((await socket.next()) ?? '');

/** A session that is open: `setupComplete` has come. */
export const openSession = async (
  kit: Kit,
  rule: RuleId,
): Promise<{ readonly socket: KitSocket; readonly id: string; readonly access: Json }> => {
  const access = await accessOf(kit, rule);
  const socket = await bring(kit, access);
  const first = await nextJson(socket);
  kit.need(rule, first.at('setupComplete').value !== undefined, 'setupComplete does not come first');
  return { socket, id: access.at('id').text(), access };
};

/** Everything up to the end of a turn. */
export const turnOf = async (socket: KitSocket): Promise<readonly Json[]> => {
  const frames: Json[] = [];
  for (let frame = await socket.next(); frame !== null; frame = await socket.next()) {
    const json = parseJson(frame);
    frames.push(json);
    if (json.at('serverContent', 'turnComplete').value === true || json.at('toolCall').value !== undefined) break;
  }
  return frames;
};

/** The record of a session that is over. */
export const sessionRecord = async (kit: Kit, rule: RuleId, id: string): Promise<Json> => {
  const answer = await kit.until({ by: 'realtime', path: `/requests/${id}` }, ({ json }) =>
    ['completed', 'failed', 'uncertain'].includes(json.at('status').text()),
  );
  return kit.taken(rule, answer);
};
