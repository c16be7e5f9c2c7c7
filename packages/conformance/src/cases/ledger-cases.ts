import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Kit } from '../kit/kit.ts';
import { requestIdOf, type Answer } from '../wire/exchange.ts';
import { generate } from './ask-each.ts';
import { contents, directed, say } from './bodies.ts';
import { whileRunning } from './while-running.ts';

const microsOf = (credits: number): number => Math.round(credits * 1e6);

const balanceOf = async (kit: Kit): Promise<number> => {
  const answer = await kit.send({ path: '/account/balance' });
  return microsOf(Number(kit.taken(kit.rule, answer).at('balance_credits').text()));
};

/** What a call debits and what it reports, several times: work that is still under way may be debited in between. */
const debitsOf = async (kit: Kit, call: () => Promise<Answer>): Promise<readonly (readonly [number, number])[]> => {
  const debits: (readonly [number, number])[] = [];
  for (let times = 0; times < 3; times += 1) {
    const before = await balanceOf(kit);
    const answer = await call();
    const after = await balanceOf(kit);
    debits.push([before - after, microsOf(answer.json.at(kit.brand, 'credits').number())]);
  }
  return debits;
};

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
      const heldFor = async (text: string): Promise<number> => {
        const { id, record, done } = await whileRunning(kit, kit.rule, text);
        kit.fields('requests:move:reserved-processing', record, { status: 'processing' });
        await done;
        const after = kit.taken('requests:move:settling-completed', await kit.send({ path: `/requests/${id}` }));
        kit.fields('requests:move:settling-completed', after, { status: 'completed', reserved_credits: 0 });
        return record.at('reserved_credits').number();
      };
      const [short, long] = await Promise.all([heldFor('Hello. '), heldFor('Hello. '.repeat(4_000))]);
      kit.holds('ledger:hold:estimate', long > short, `a long input reserves ${long}, a short one ${short}`);
    },
  ),

  conformanceCase(
    'debits the wallet by what it reports, and by nothing for what failed',
    {
      charges: 6,
      rules: ['ledger:settle:debit-measured', 'ledger:failed:no-debit'],
      needs: ['chat', 'directives', 'balance'],
      alone: true,
    },
    async (kit) => {
      const paid = (): Promise<Answer> => kit.chat(say(directed('tokens in=4000 out=400')));
      const debits = await debitsOf(kit, paid);
      const isDebited = debits.some(([micros, reported]) => micros === reported);
      kit.holds('ledger:settle:debit-measured', isDebited, `micro-credits debited and reported: ${debits.join(' | ')}`);
      const failed = await debitsOf(kit, () => kit.chat(say(directed('fail'))));
      const isFree = failed.some(([micros]) => micros === 0);
      kit.holds(
        'ledger:failed:no-debit',
        isFree,
        `micro-credits debited: ${failed.map(([micros]) => micros).join(', ')}`,
      );
    },
  ),
];
