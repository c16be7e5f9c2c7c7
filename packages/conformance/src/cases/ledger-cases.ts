import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { generate } from './ask-each.ts';
import { contents, directed, identified, say } from './bodies.ts';

export const ledgerCases: readonly ConformanceCase[] = [
  conformanceCase(
    'charges nothing for what failed',
    {
      rules: ['ledger:failed:no-debit', 'ledger:failed:never-with-debit', 'requests:move:processing-failed'],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const failed = await kit.chat(say(directed('fail')));
      const record = kit.taken(
        'ledger:failed:no-debit',
        await kit.send({ path: `/requests/${failed.json.at('error', 'request_id').text()}` }),
      );
      kit.same('requests:move:processing-failed', record.at('status').value, 'failed', 'status');
      kit.same(
        'ledger:failed:no-debit',
        [record.at('charged_credits').value, record.at('reserved_credits').value],
        [0, 0],
        'charged_credits and reserved_credits',
      );
      kit.same(
        'ledger:failed:never-with-debit',
        record.at('charged_credits').value,
        0,
        'charged_credits of a failed operation',
      );
    },
  ),
  conformanceCase(
    'keeps the hold of what is uncertain',
    {
      rules: ['ledger:uncertain:keeps-hold', 'requests:record:error-code', 'requests:move:processing-uncertain'],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      for (const what of ['unknown', 'unknown-usage']) {
        const answer = await kit.chat(say(directed(what)));
        const id = answer.json.at('error', 'request_id').text();
        kit.need('requests:move:processing-uncertain', id !== '', `no request_id for ${what}`);
        const record = kit.taken('ledger:uncertain:keeps-hold', await kit.send({ path: `/requests/${id}` }));
        kit.same('requests:move:processing-uncertain', record.at('status').value, 'uncertain', `status after ${what}`);
        kit.same(
          'requests:record:error-code',
          record.at('error_code').value,
          'settlement_pending',
          `error_code after ${what}`,
        );
        kit.holds(
          'ledger:uncertain:keeps-hold',
          record.at('reserved_credits').number() > 0,
          `nothing is reserved after ${what}`,
        );
        kit.same('ledger:uncertain:keeps-hold', record.at('charged_credits').value, 0, `charged_credits after ${what}`);
      }
    },
  ),
  conformanceCase(
    'charges what was measured',
    {
      charges: 3,
      rules: ['ledger:settle:debit-measured', 'ledger:tariff:no-fixed-price', 'ledger:charged:generations'],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const priceOf = async (tokens: string): Promise<number> => {
        const answer = kit.taken(
          'ledger:settle:debit-measured',
          await kit.chat(say(directed('echo ok', `tokens ${tokens}`))),
        );
        return answer.at(kit.brand, 'credits').number();
      };
      const small = await priceOf('in=1000 out=100');
      const same = await priceOf('in=1000 out=100');
      const larger = await priceOf('in=1000 out=200');
      kit.same('ledger:settle:debit-measured', same, small, 'the credits of the same measure');
      kit.holds(
        'ledger:tariff:no-fixed-price',
        larger > small,
        `a larger measure costs ${larger}, a smaller one ${small}`,
      );
      kit.holds('ledger:charged:generations', small > 0, 'a generation costs nothing');
    },
  ),
  conformanceCase(
    'charges a partial answer',
    { charges: 1, rules: ['ledger:partial:charged'], needs: ['chat', 'directives'] },
    async (kit) => {
      const answer = kit.taken('ledger:partial:charged', await kit.chat(say(directed('length'))));
      kit.holds(
        'ledger:partial:charged',
        answer.at(kit.brand, 'credits').number() > 0,
        'a partial answer costs nothing',
      );
    },
  ),
  conformanceCase(
    'returns of other operations what their route returned',
    { charges: 1, rules: ['requests:record:response-other-kinds'] },
    async (kit) => {
      const answer = await generate(kit, contents('Hello'));
      const body = kit.taken('requests:record:response-other-kinds', answer);
      const record = kit.taken(
        'requests:record:response-other-kinds',
        await kit.send({ path: `/requests/${requestIdOf(answer)}` }),
      );
      kit.same(
        'requests:record:response-other-kinds',
        record.at('response').value,
        body.value,
        'response of a generation',
      );
      const agent = kit.taken(
        'requests:record:response-other-kinds',
        await kit.send({ path: '/agents', body: { system_instruction: 'Be brief.' } }),
      );
      const made = kit.taken(
        'requests:record:response-other-kinds',
        await kit.send({ path: `/requests/${agent.at('id').text()}` }),
      );
      kit.same(
        'requests:record:response-other-kinds',
        made.at('response', 'object').value,
        'agent',
        'object of the response of an agent',
      );
    },
  ),

  conformanceCase(
    'reserves more for a longer input, and moves on when it is settled',
    {
      charges: 2,
      rules: ['ledger:hold:estimate', 'requests:move:reserved-processing', 'requests:move:settling-completed'],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const during = async (text: string): Promise<number> => {
        const identity = identified(kit.fresh('hold'));
        const body = kit.body('chat', say(`${text} ${directed('slow 2000')}`));
        const running = kit.send({ ...identity, path: '/chat/completions', body });
        await kit.sleep(400);
        const repeat = await kit.send({ ...identity, path: '/chat/completions', body });
        const id = repeat.json.at('error', 'request_id').text();
        const held = kit.taken('ledger:hold:estimate', await kit.send({ path: `/requests/${id}` }));
        kit.same('requests:move:reserved-processing', held.at('status').value, 'processing', 'status while it runs');
        await running;
        const after = kit.taken('requests:move:settling-completed', await kit.send({ path: `/requests/${id}` }));
        kit.same(
          'requests:move:settling-completed',
          [after.at('status').value, after.at('reserved_credits').value],
          ['completed', 0],
          'status and reserved_credits at the end',
        );
        return held.at('reserved_credits').number();
      };
      const [short, long] = await Promise.all([during('Hello.'), during('Hello. '.repeat(4_000))]);
      kit.holds('ledger:hold:estimate', long > short, `a long input reserves ${long}, a short one ${short}`);
    },
  ),
];
