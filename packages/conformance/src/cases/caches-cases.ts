import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Kit } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';
import type { Json } from '../wire/json.ts';
import { generate } from './ask-each.ts';
import { contents } from './bodies.ts';
import { ended, finished, remove } from './made-resource.ts';

const path = '/caches';
const text = 'The harbour has seven cranes. '.repeat(400);
const cacheOf = (more: object = {}): object => ({
  display_name: 'Harbour',
  ttl_seconds: 600,
  contents: [{ parts: [{ text }] }],
  ...more,
});

const active = async (kit: Kit, rule: RuleId, more: object = {}): Promise<Json> => {
  const record = await finished(kit, rule, { path, body: cacheOf(more) });
  kit.need(rule, record.at('status').value === 'active', `the status is ${record.at('status').text()}`);
  return record;
};

const dueMicrosWanted = 3;
const dueWaitMsMax = 10_000;

/** Waits until the time that a cache was kept costs some micro-credits; false where that takes too long to wait for. */
const storageIsDue = async (kit: Kit, one: string): Promise<boolean> => {
  const reserved = async (ttl_seconds: number): Promise<number> =>
    (await kit.send({ method: 'PATCH', path: one, body: { ttl_seconds } })).json.at('reserved_credits').number();
  // The price of a second is what a longer time reserves more.
  const [short, long] = [await reserved(600), await reserved(6_000)];
  const microsOfSecond = ((long - short) * 1e6) / 5_400;
  const waitMs = (dueMicrosWanted / microsOfSecond) * 1_000;
  if (!(waitMs > 0 && waitMs <= dueWaitMsMax)) return false;
  await kit.sleep(waitMs);
  return true;
};

export const cachesCases: readonly ConformanceCase[] = [
  conformanceCase(
    'keeps a context for its time, under a name',
    {
      charges: 1,
      rules: [
        'caches:body:fields',
        'caches:record:name-and-result',
        'caches:record:expires-at',
        'caches:hold:whole-ttl',
        'caches:request-record:processing',
      ],
    },
    async (kit) => {
      const record = await active(kit, 'caches:body:fields');
      const id = record.at('id').text();
      kit.same('caches:body:fields', record.at('display_name').value, 'Harbour', 'display_name');
      kit.same(
        'caches:record:name-and-result',
        [record.at('name').value, record.at('ttl_seconds').value],
        [`caches/${id}`, 600],
        'name and ttl_seconds',
      );
      kit.holds(
        'caches:record:name-and-result',
        record.at('result', 'total_tokens').number() > 0 && record.at('result', 'expires_at').text() !== '',
        'the result lacks total_tokens or expires_at',
      );
      const leftMs = Date.parse(record.at('expires_at').text()) - Date.parse(record.at('created_at').text());
      kit.holds(
        'caches:record:expires-at',
        Math.abs(leftMs - 600_000) < 60_000,
        `expires_at is ${leftMs} ms after created_at`,
      );
      kit.holds('caches:hold:whole-ttl', record.at('reserved_credits').number() > 0, 'nothing is reserved');
      const request = await kit.send({ path: `/requests/${id}` });
      kit.same(
        'caches:request-record:processing',
        request.json.at('status').value,
        'processing',
        'the status of its request',
      );
      await remove(kit, `${path}/${id}`);
      await kit.until({ path: `${path}/${id}` }, ({ json }) => json.at('status').value === 'deleted');
      const after = await kit.send({ path: `/requests/${id}` });
      kit.same(
        'caches:request-record:processing',
        after.json.at('status').value,
        'completed',
        'the status of its request afterwards',
      );
    },
  ),
  conformanceCase(
    'is used by its name, beside no other settings',
    {
      charges: 2,
      rules: ['caches:use:reference-form', 'generate:cache:exclusive', 'ledger:charged:cache-reads'],
      needs: ['chat', 'bound'],
    },
    async (kit) => {
      const id = (await active(kit, 'caches:use:reference-form')).at('id').text();
      const cachedContent = `caches/${id}`;
      const answer = kit.taken(
        'caches:use:reference-form',
        await generate(kit, contents('How many?', { cachedContent })),
      );
      kit.holds(
        'ledger:charged:cache-reads',
        answer.at(kit.brand, 'credits').number() > 0,
        'the use of a cache costs nothing',
      );
      kit.refused('caches:use:reference-form', await generate(kit, contents('How many?', { cachedContent: id })), 422);
      for (const more of [{ systemInstruction: { parts: [{ text: 'x' }] } }, { tools: [{ codeExecution: {} }] }])
        kit.refused(
          'generate:cache:exclusive',
          await generate(kit, contents('How many?', { cachedContent, ...more })),
          422,
        );
      await remove(kit, `${path}/${id}`);
    },
  ),
  conformanceCase(
    'charges the time that a cache was kept, and is used no more afterwards',
    {
      charges: 1,
      rules: [
        'caches:delete:moves',
        'caches:delete:charges-period-stored',
        'ledger:charged:cache-storage',
        'caches:use:expired-or-deleted',
      ],
      needs: ['chat', 'bound'],
    },
    async (kit) => {
      const id = (await active(kit, 'caches:delete:moves')).at('id').text();
      const isDue = await storageIsDue(kit, `${path}/${id}`);
      const deleted = kit.taken('caches:delete:moves', await kit.send({ method: 'DELETE', path: `${path}/${id}` }));
      kit.holds(
        'caches:delete:moves',
        ['settling', 'deleted'].includes(deleted.at('status').text()),
        `the status ${deleted.at('status').text()}`,
      );
      const record = await kit.until({ path: `${path}/${id}` }, ({ json }) => json.at('status').value === 'deleted');
      kit.same('caches:delete:moves', record.json.at('status').value, 'deleted', 'status in the end');
      kit.holds(
        'ledger:charged:cache-storage',
        isDue ? record.json.at('charged_credits').number() > 0 : record.json.at('charged_credits').number() >= 0,
        `a cache costs ${record.json.at('charged_credits').number()}`,
      );
      kit.same(
        'caches:delete:charges-period-stored',
        record.json.at('reserved_credits').value,
        0,
        'reserved_credits in the end',
      );
      kit.refused(
        'caches:use:expired-or-deleted',
        await generate(kit, contents('How many?', { cachedContent: `caches/${id}` })),
        404,
        'not_found',
      );
    },
  ),
  conformanceCase(
    'takes times of 1 to 604,800 seconds, also later',
    {
      charges: 1,
      rules: ['caches:body:ttl-range', 'caches:patch:ttl-required', 'caches:patch:re-reserves', 'caches:body:fields'],
    },
    async (kit) => {
      for (const ttl_seconds of [0, 604_801, 1.5, '60'])
        kit.refused('caches:body:ttl-range', await kit.send({ path, body: cacheOf({ ttl_seconds }) }), 422);
      kit.refused('caches:body:fields', await kit.send({ path, body: cacheOf({ contents: undefined }) }), 422);
      const record = await active(kit, 'caches:patch:re-reserves', { ttl_seconds: 60 });
      const one = `${path}/${record.at('id').text()}`;
      for (const body of [{}, { ttl_seconds: 0 }, { ttl_seconds: 604_801 }])
        kit.refused('caches:patch:ttl-required', await kit.send({ method: 'PATCH', path: one, body }), 422);
      const longer = kit.taken(
        'caches:patch:re-reserves',
        await kit.send({ method: 'PATCH', path: one, body: { ttl_seconds: 6_000 } }),
      );
      kit.holds(
        'caches:patch:re-reserves',
        Date.parse(longer.at('expires_at').text()) > Date.parse(record.at('expires_at').text()),
        'expires_at does not move',
      );
      kit.holds(
        'caches:patch:re-reserves',
        longer.at('reserved_credits').number() > record.at('reserved_credits').number(),
        'a longer time reserves no more',
      );
      await remove(kit, one);
    },
  ),
  conformanceCase(
    'expires when its time is over',
    {
      charges: 1,
      rules: ['caches:expire:moves', 'resources:list:expired-kept', 'caches:use:expired-or-deleted'],
      needs: ['chat', 'bound', 'slow'],
    },
    async (kit) => {
      const id = (await finished(kit, 'caches:expire:moves', { path, body: cacheOf({ ttl_seconds: 2 }) }))
        .at('id')
        .text();
      await kit.until({ path: `${path}/${id}` }, ({ json }) => json.at('status').value === 'expired');
      const record = await ended(kit, 'caches:expire:moves', { path: `${path}/${id}` });
      kit.same(
        'caches:expire:moves',
        [record.at('status').value, record.at('reserved_credits').value],
        ['expired', 0],
        'status and reserved_credits',
      );
      kit.holds('caches:expire:moves', record.at('charged_credits').number() > 0, 'nothing was charged');
      const list = await kit.send({ path });
      kit.holds(
        'resources:list:expired-kept',
        list.json
          .at('data')
          .list()
          .some((one) => one.at('id').value === id),
        'an expired one is not listed',
      );
      kit.refused(
        'caches:use:expired-or-deleted',
        await generate(kit, contents('How many?', { cachedContent: `caches/${id}` })),
        404,
        'not_found',
      );
      await remove(kit, `${path}/${id}`);
    },
  ),

  conformanceCase(
    'is used by its own model alone',
    { charges: 1, rules: ['caches:use:same-model'], needs: ['chat', 'sibling'] },
    async (kit) => {
      const rule = 'caches:use:same-model';
      if (kit.model('sibling') === kit.model('chat')) return;
      const id = (await active(kit, rule)).at('id').text();
      const body = contents('How many?', { cachedContent: `caches/${id}` });
      kit.refused(
        rule,
        await kit.send({ by: 'sibling', path: `/models/${kit.model('sibling')}:generateContent`, body }),
        422,
      );
      await remove(kit, `${path}/${id}`);
    },
  ),
];
