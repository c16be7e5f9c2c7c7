import type { Need } from '../kit/need.ts';
import type { Kit } from '../kit/kit.ts';
import type { Received } from '../receiver/start-receiver.ts';
import type { RuleId } from '../rules/rules.ts';
import { requestIdOf, type Answer } from '../wire/exchange.ts';
import { jsonOf, type Json } from '../wire/json.ts';

export const needs: readonly Need[] = ['chat', 'receiver'];

const waitMs = 20_000;

export interface Hook {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
}

export const hooked = async (kit: Kit, rule: RuleId, more: object = {}): Promise<Hook> => {
  const at = `/${kit.fresh('events')}`;
  const created = kit.taken(
    rule,
    await kit.send({ path: '/webhooks', body: { url: `${kit.receiver.url}${at}`, ...more } }),
  );
  const path = new URL(`${kit.receiver.url}${at}`).pathname;
  return { id: created.at('id').text(), secret: created.at('signing_secret').text(), path };
};

/** The events of a request that came, once there are so many. */
export const eventsOf = async (
  kit: Kit,
  { path }: Hook,
  requestId: string,
  count = 1,
): Promise<readonly Received[]> => {
  const ofRequest = (): readonly Received[] => kit.receiver.at(path).filter(({ body }) => body.includes(requestId));
  for (let waited = 0; ofRequest().length < count && waited < waitMs; waited += 100) await kit.sleep(100);
  return ofRequest();
};

export const only = async (kit: Kit, rule: RuleId, hook: Hook, answer: Answer): Promise<Received> => {
  const [event] = await eventsOf(kit, hook, requestIdOf(answer));
  kit.need(rule, event !== undefined, `no event came within ${waitMs} ms`);
  return event ?? { path: '', headers: {}, body: '' };
};

export const headerOf = ({ headers }: Received, name: string): string => String(headers[name] ?? '');

/** The record of a delivery, once it shows the state. */
export const deliveryOf = async (kit: Kit, { id }: Hook, answer: Answer, status: string): Promise<Json> => {
  const own = (list: Json): Json =>
    list
      .at('data')
      .list()
      .find((each) => each.at('request_id').value === requestIdOf(answer)) ?? jsonOf(undefined);
  const ask = { path: `/webhooks/${id}/deliveries` };
  const list = await kit.until(
    ask,
    ({ json }) => own(json).at('status').value === status && own(json).at('attempts').value !== 0,
  );
  return own(list.json);
};

export const remove = (kit: Kit, { id }: Hook) => kit.send({ method: 'DELETE', path: `/webhooks/${id}` });
