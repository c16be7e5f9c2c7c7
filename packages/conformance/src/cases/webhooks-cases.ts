import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Kit } from '../kit/kit.ts';
import { uuidPattern } from '../kit/vocabulary.ts';
import type { RuleId } from '../rules/rules.ts';

const path = '/webhooks';

const refused = async (kit: Kit, rule: RuleId, bodies: readonly unknown[]): Promise<void> => {
  for (const body of bodies) kit.refused(rule, await kit.send({ path, body }), 422);
};

export const webhooksCases: readonly ConformanceCase[] = [
  conformanceCase(
    'calls public hosts over HTTPS on port 443 alone',
    {
      rules: [
        'webhooks:create:url-https',
        'webhooks:create:url-port',
        'webhooks:create:url-credentials',
        'webhooks:create:url-public-ipv4',
        'webhooks:create:url-required',
      ],
    },
    async (kit) => {
      await refused(kit, 'webhooks:create:url-required', [{}, { url: 'abc' }, { url: 7 }]);
      await refused(kit, 'webhooks:create:url-https', [{ url: 'http://hooks.example.com/in' }]);
      await refused(kit, 'webhooks:create:url-port', [{ url: 'https://hooks.example.com:8443/in' }]);
      await refused(kit, 'webhooks:create:url-credentials', [{ url: 'https://user:word@hooks.example.com/in' }]);
      await refused(
        kit,
        'webhooks:create:url-public-ipv4',
        [
          'https://93.184.215.14/in',
          'https://127.0.0.1/in',
          'https://[2606:2800:220:1::1]/in',
          'https://localhost/in',
          'https://2130706433/in',
        ].map((url) => ({ url })),
      );
    },
  ),
  conformanceCase(
    'lists webhooks, and knows no foreign one',
    { rules: ['webhooks:list:includes-paused', 'triggers:routes:statuses'] },
    async (kit) => {
      const list = kit.taken('webhooks:list:includes-paused', await kit.send({ path }));
      kit.same(
        'webhooks:list:includes-paused',
        [list.at('object').value, Array.isArray(list.at('data').value)],
        ['list', true],
        'object and data',
      );
      for (const each of [path, '/triggers']) {
        const { status } = await kit.send({ path: each, key: 'wrong' });
        kit.same('triggers:routes:statuses', status, 401, `the status of GET ${each} with a wrong key`);
        const { status: unknown } = await kit.send({ path: `${each}/01900000-0000-7000-8000-000000000000` });
        kit.same('triggers:routes:statuses', unknown, 404, `the status of an unknown one of ${each}`);
      }
    },
  ),
  conformanceCase(
    'takes both events by default, and each time makes a webhook of its own',
    {
      rules: [
        'webhooks:create:response',
        'webhooks:create:events-default',
        'webhooks:create:events-values',
        'idempotency:none:webhooks-triggers',
      ],
      needs: ['chat', 'receiver'],
    },
    async (kit) => {
      const url = `${kit.receiver.url}/${kit.fresh('made')}`;
      const created = kit.taken('webhooks:create:response', await kit.send({ path, body: { url } }));
      const ids = ['id', 'project_id'].filter((name) => !uuidPattern.test(created.at(name).text()));
      kit.same('webhooks:create:response', ids, [], 'fields that are no uuid');
      kit.fields('webhooks:create:response', created, { url, enabled: true });
      const isDated = Number.isFinite(Date.parse(created.at('created_at').text()));
      kit.holds('webhooks:create:response', isDated, 'created_at is no time');
      const events = created
        .at('events')
        .list()
        .map((one) => one.text());
      kit.same('webhooks:create:events-default', events.toSorted(), ['request.completed', 'request.failed'], 'events');
      const again = kit.taken('idempotency:none:webhooks-triggers', await kit.send({ path, body: { url } }));
      const [id, other] = [created.at('id').text(), again.at('id').text()];
      kit.holds('idempotency:none:webhooks-triggers', other !== id, 'two creations are one webhook');
      const wrong = [
        { url, events: [] },
        { url, events: ['x'] },
      ];
      await refused(kit, 'webhooks:create:events-values', wrong);
      for (const one of [id, other]) await kit.send({ method: 'DELETE', path: `${path}/${one}` });
    },
  ),
  conformanceCase(
    'shows the secret of a webhook once',
    {
      rules: ['webhooks:create:secret-once', 'webhooks:create:response', 'webhooks:get:record'],
      needs: ['chat', 'receiver'],
    },
    async (kit) => {
      const url = `${kit.receiver.url}/${kit.fresh('shown')}`;
      const created = kit.taken('webhooks:create:response', await kit.send({ path, body: { url } }));
      const secret = created.at('signing_secret').text();
      kit.need('webhooks:create:response', secret.length >= 16, 'no signing_secret');
      const one = `${path}/${created.at('id').text()}`;
      const read = await kit.send({ path: one });
      kit.fields('webhooks:get:record', kit.taken('webhooks:get:record', read), { url });
      const patched = await kit.send({ method: 'PATCH', path: one, body: { enabled: true } });
      for (const { text } of [
        read,
        patched,
        await kit.send({ path }),
        await kit.send({ method: 'DELETE', path: one }),
      ]) {
        const isHidden = !text.includes('signing_secret') && !text.includes(secret);
        kit.holds('webhooks:create:secret-once', isHidden, 'the secret is shown again');
      }
    },
  ),
  conformanceCase(
    'changes nothing of a webhook but whether it is enabled',
    {
      rules: [
        'webhooks:patch:enabled-only',
        'webhooks:list:includes-paused',
        'webhooks:delete:disables',
        'webhooks:delete:final',
      ],
      needs: ['chat', 'receiver'],
    },
    async (kit) => {
      const url = `${kit.receiver.url}/${kit.fresh('patched')}`;
      const one = `${path}/${kit
        .taken('webhooks:patch:enabled-only', await kit.send({ path, body: { url } }))
        .at('id')
        .text()}`;
      for (const body of [{}, { enabled: 1 }, { enabled: true, url }])
        kit.refused('webhooks:patch:enabled-only', await kit.send({ method: 'PATCH', path: one, body }), 422);
      const paused = kit.taken(
        'webhooks:patch:enabled-only',
        await kit.send({ method: 'PATCH', path: one, body: { enabled: false } }),
      );
      kit.same('webhooks:patch:enabled-only', paused.at('enabled').value, false, 'enabled');
      const list = await kit.send({ path });
      kit.holds(
        'webhooks:list:includes-paused',
        list.json
          .at('data')
          .list()
          .some((each) => each.at('url').value === url),
        'a paused one is not listed',
      );
      const deleted = kit.taken('webhooks:delete:disables', await kit.send({ method: 'DELETE', path: one }));
      kit.same('webhooks:delete:disables', deleted.at('enabled').value, false, 'enabled');
      kit.same(
        'webhooks:delete:disables',
        (await kit.send({ path: `${one}/deliveries` })).status,
        200,
        'the status of its deliveries',
      );
      kit.refused(
        'webhooks:delete:final',
        await kit.send({ method: 'PATCH', path: one, body: { enabled: true } }),
        404,
      );
    },
  ),
];
