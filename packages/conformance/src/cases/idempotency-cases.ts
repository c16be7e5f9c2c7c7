import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { generate } from './ask-each.ts';
import { contents, hello, identified, say } from './bodies.ts';

const exact = 'idempotency:body:exact-bytes';

export const idempotencyCases: readonly ConformanceCase[] = [
  conformanceCase(
    'gives a completed operation again',
    { charges: 1, rules: ['idempotency:replay:equal-answer', 'idempotency:replay:no-execution'] },
    async (kit) => {
      const identity = identified(kit.fresh('once'));
      const first = await kit.chat(hello, identity);
      kit.taken('idempotency:replay:equal-answer', first);
      const again = await kit.chat(hello, identity);
      kit.same('idempotency:replay:equal-answer', [again.status, again.text], [200, first.text], 'the response again');
      kit.same(
        'idempotency:replay:equal-answer',
        again.headers.get('content-type'),
        first.headers.get('content-type'),
        'Content-Type',
      );
      kit.same('idempotency:replay:equal-answer', requestIdOf(again), requestIdOf(first), 'X-Request-Id');
      kit.same(
        'idempotency:replay:equal-answer',
        again.headers.get('idempotency-replayed'),
        'true',
        'Idempotency-Replayed',
      );
      const record = kit.taken(
        'idempotency:replay:no-execution',
        await kit.send({ path: `/requests/${requestIdOf(first)}` }),
      );
      kit.same(
        'idempotency:replay:no-execution',
        record.at('charged_credits').value,
        first.json.at(kit.brand, 'credits').value,
        'charged_credits after the repeat',
      );
      kit.same(
        'idempotency:replay:no-execution',
        again.json.at(kit.brand, 'credits').value,
        first.json.at(kit.brand, 'credits').value,
        'credits of the repeat',
      );
    },
  ),
  conformanceCase(
    'refuses another body, and still recovers by the original one',
    { charges: 1, rules: ['idempotency:conflict:refused', 'idempotency:conflict:recovers', 'errors:status:409'] },
    async (kit) => {
      const identity = identified(kit.fresh('conflict'));
      const first = await kit.chat(hello, identity);
      kit.taken('idempotency:conflict:refused', first);
      const other = await kit.chat(say('Another'), identity);
      kit.refused('idempotency:conflict:refused', other, 409, 'ai_idempotency_conflict');
      kit.refused('errors:status:409', other, 409);
      const again = await kit.chat(hello, identity);
      kit.same(
        'idempotency:conflict:recovers',
        [again.status, again.text],
        [200, first.text],
        'the response to the original body',
      );
    },
  ),
  conformanceCase('compares the exact bytes of bodies', { charges: 1, rules: [exact] }, async (kit) => {
    const identity = identified(kit.fresh('bytes'));
    const text = JSON.stringify(kit.body('chat', { ...hello, temperature: 1 }));
    kit.taken(exact, await kit.chat(text, identity));
    for (const same of [text.replace('"temperature":', '"temperature": '), `${text}\n`, text.replace(':1}', ':1.0}')])
      kit.refused(exact, await kit.chat(same, identity), 409, 'ai_idempotency_conflict');
    const again = await kit.chat(text, identity);
    kit.same(exact, again.headers.get('idempotency-replayed'), 'true', 'Idempotency-Replayed of the same bytes');
  }),
  conformanceCase(
    'counts method and path to the body, and not the query',
    { charges: 1, rules: ['idempotency:body:other-route', 'idempotency:body:query-excluded'] },
    async (kit) => {
      const identity = identified(kit.fresh('route'));
      const first = await kit.chat(hello, identity);
      kit.taken('idempotency:body:query-excluded', first);
      const queried = await kit.send({ ...identity, path: '/chat/completions?trace=1', body: kit.body('chat', hello) });
      kit.same(
        'idempotency:body:query-excluded',
        [queried.status, queried.text],
        [200, first.text],
        'the response under another query',
      );
      kit.refused(
        'idempotency:body:other-route',
        await generate(kit, contents('Hello'), identity),
        409,
        'ai_idempotency_conflict',
      );
    },
  ),
  conformanceCase(
    'is optional, and runs each call anew without it',
    { charges: 2, rules: ['idempotency:header:optional'] },
    async (kit) => {
      const first = await kit.chat();
      const second = await kit.chat();
      kit.holds(
        'idempotency:header:optional',
        first.status === 200 && second.status === 200,
        'a call without an identity is refused',
      );
      kit.holds(
        'idempotency:header:optional',
        requestIdOf(first) !== requestIdOf(second),
        'two calls without an identity are one operation',
      );
    },
  ),
  conformanceCase(
    'takes identities of 1 to 128 printable ASCII characters',
    { charges: 2, rules: ['idempotency:header:length', 'idempotency:header:charset'] },
    async (kit) => {
      const long = kit.fresh('x').padEnd(128, 'x');
      kit.taken('idempotency:header:length', await kit.chat(hello, identified(long)));
      kit.refused(
        'idempotency:header:length',
        await kit.chat(hello, identified(`${long}x`)),
        422,
        'invalid_idempotency_key',
      );
      kit.refused('idempotency:header:length', await kit.chat(hello, identified('')), 422, 'invalid_idempotency_key');
      for (const wrong of ['a b', 'a\tb', 'é'])
        kit.refused(
          'idempotency:header:charset',
          await kit.chat(hello, identified(wrong)),
          422,
          'invalid_idempotency_key',
        );
      kit.taken('idempotency:header:charset', await kit.chat(hello, identified(`!~${kit.fresh('signs')}`)));
    },
  ),
];
