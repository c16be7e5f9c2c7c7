import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { hello } from './bodies.ts';

const padded = (bytes: number): string => `{${' '.repeat(bytes - 2)}}`;

export const limitsCases: readonly ConformanceCase[] = [
  conformanceCase(
    'tells errors so that a client of the OpenAI format reads them',
    { rules: ['errors:compat:openai-error'] },
    async (kit) => {
      const answer = await kit.chat({ messages: [] });
      kit.holds(
        'errors:compat:openai-error',
        answer.json.at('error', 'code').text() !== '' && answer.headers.get('x-request-id') !== null,
        'no error.code, or no X-Request-Id',
      );
    },
  ),
  conformanceCase('keeps to the limits of the other bodies', { rules: ['limits:body:other-routes'] }, async (kit) => {
    for (const path of ['/stores', '/agents', '/webhooks', '/live'])
      kit.refused('limits:body:other-routes', await kit.send({ path, body: padded(2_000_001) }), 413, 'body_too_large');
    for (const path of ['/environments', '/interactions', '/triggers'])
      kit.refused(
        'limits:body:other-routes',
        await kit.send({ path, body: padded(20_971_521) }),
        413,
        'body_too_large',
      );
  }),
  conformanceCase(
    'lists at most a hundred, the newest first',
    { rules: ['limits:list:max-100', 'limits:list:newest-first'] },
    async (kit) => {
      const ids: string[] = [];
      for (let count = 0; count < 101; count += 1)
        ids.push(
          kit
            .taken('limits:list:max-100', await kit.send({ path: '/stores', body: {} }))
            .at('id')
            .text(),
        );
      const list = kit
        .taken('limits:list:max-100', await kit.send({ path: '/stores' }))
        .at('data')
        .list();
      kit.same('limits:list:max-100', list.length, 100, 'records of the list');
      const listed = list.map((one) => one.at('id').text());
      kit.holds('limits:list:max-100', !listed.includes(ids[0] ?? ''), 'the oldest is listed');
      const order = ids.map((id) => listed.indexOf(id)).filter((at) => at >= 0);
      kit.holds(
        'limits:list:newest-first',
        order.length > 1 && order.every((at, place) => place === 0 || at < (order[place - 1] ?? 0)),
        'the list is not in order',
      );
      for (const id of ids) await kit.send({ method: 'DELETE', path: `/stores/${id}` });
    },
  ),
  conformanceCase(
    'uses the brand that is set',
    { charges: 1, rules: ['versioning:brand:response-key', 'versioning:brand:auto-model'] },
    async (kit) => {
      const answer = kit.taken('versioning:brand:auto-model', await kit.chat({ ...hello, model: `${kit.brand}-auto` }));
      kit.holds(
        'versioning:brand:response-key',
        answer.at(kit.brand, 'request_id').text() !== '',
        `no member ${kit.brand}`,
      );
    },
  ),
];
