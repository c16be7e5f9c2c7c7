import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { uuidPattern } from '../kit/vocabulary.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { whileRunning } from './while-running.ts';

const fields = ['charged_credits', 'created_at', 'error_code', 'id', 'reserved_credits', 'response', 'status'];

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/u.test(text);

export const requestsCases: readonly ConformanceCase[] = [
  conformanceCase(
    'shows the record of an operation',
    {
      charges: 1,
      rules: [
        'requests:get:record',
        'requests:record:response-chat',
        'requests:record:credits',
        'requests:record:states',
      ],
    },
    async (kit) => {
      const answer = await kit.chat();
      const completion = kit.taken('requests:get:record', answer);
      const record = kit.taken('requests:get:record', await kit.send({ path: `/requests/${requestIdOf(answer)}` }));
      kit.same(
        'requests:get:record',
        fields.filter((name) => record.at(name).value === undefined),
        [],
        'missing fields',
      );
      kit.holds(
        'requests:get:record',
        uuidPattern.test(record.at('id').text()) && isTime(record.at('created_at').text()),
        'id or created_at has another form',
      );
      kit.same('requests:record:states', record.at('status').value, 'completed', 'status');
      kit.same('requests:record:response-chat', record.at('response').value, completion.value, 'response');
      kit.same(
        'requests:record:credits',
        [record.at('charged_credits').value, record.at('reserved_credits').value],
        [completion.at(kit.brand, 'credits').value, 0],
        'charged_credits and reserved_credits',
      );
    },
  ),
  conformanceCase(
    'never executes nor charges for a query',
    { charges: 1, rules: ['requests:get:never-executes', 'ledger:free:repeat-query', 'ledger:free:routes'] },
    async (kit) => {
      const id = requestIdOf(await kit.chat());
      const first = await kit.send({ path: `/requests/${id}` });
      kit.taken('requests:get:never-executes', first);
      for (let times = 0; times < 5; times += 1) {
        const again = await kit.send({ path: `/requests/${id}` });
        kit.same('requests:get:never-executes', again.text, first.text, 'the record read again');
        kit.same(
          'ledger:free:repeat-query',
          again.json.at('charged_credits').value,
          first.json.at('charged_credits').value,
          'charged_credits read again',
        );
      }
      for (const path of ['/models', '/files', '/webhooks', '/triggers']) {
        const { json } = await kit.send({ path });
        kit.absent('ledger:free:routes', json.at(kit.brand).value, `a receipt of GET ${path}`);
      }
    },
  ),
  conformanceCase(
    'shows an operation while it runs, with its hold and no response',
    {
      charges: 1,
      rules: [
        'requests:record:response-chat',
        'requests:record:credits',
        'ledger:hold:not-a-charge',
        'ledger:hold:taken-before-execution',
        'ledger:settle:release-surplus',
      ],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const { id, record, done } = await whileRunning(kit, kit.rule);
      kit.fields('requests:record:response-chat', record, { response: null });
      kit.fields('ledger:hold:not-a-charge', record, { charged_credits: 0 });
      const held = record.at('reserved_credits').number();
      for (const rule of ['ledger:hold:taken-before-execution', 'requests:record:credits'] as const)
        kit.holds(rule, held > 0, 'nothing is reserved while it runs');
      kit.taken('ledger:settle:release-surplus', await done);
      const after = kit.taken('ledger:settle:release-surplus', await kit.send({ path: `/requests/${id}` }));
      kit.fields('ledger:settle:release-surplus', after, { reserved_credits: 0 });
      const isWithin = after.at('charged_credits').number() <= held;
      kit.holds('ledger:settle:release-surplus', isWithin, 'more was charged than was reserved');
    },
  ),
];
