import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { directed, hello, identified, say } from './bodies.ts';
import { whileRunning } from './while-running.ts';

export const idempotencyRunCases: readonly ConformanceCase[] = [
  conformanceCase(
    'executes one of many simultaneous requests',
    { charges: 1, rules: ['idempotency:concurrency:one-execution'] },
    async (kit) => {
      const identity = identified(kit.fresh('many'));
      const answers = await Promise.all(Array.from({ length: 10 }, () => kit.chat(hello, identity)));
      for (const answer of answers)
        if (answer.status !== 200)
          kit.refused('idempotency:concurrency:one-execution', answer, 409, 'request_in_progress');
      const completed = answers.filter(({ status }) => status === 200);
      kit.same(
        'idempotency:concurrency:one-execution',
        completed.filter(({ headers }) => headers.get('idempotency-replayed') === 'false').length,
        1,
        'responses that are no repeat',
      );
      kit.same('idempotency:concurrency:one-execution', new Set(answers.map(requestIdOf)).size, 1, 'operations');
    },
  ),
  conformanceCase(
    'refuses a repeat while the first runs',
    { charges: 1, rules: ['idempotency:running:refused', 'errors:status:409'], needs: ['chat', 'directives'] },
    async (kit) => {
      const { refused, done } = await whileRunning(kit, kit.rule);
      kit.refused('idempotency:running:refused', refused, 409, 'request_in_progress');
      kit.refused('errors:status:409', refused, 409);
      const told = refused.json.at('error', 'request_id').value;
      kit.same('idempotency:running:refused', told, requestIdOf(await done), 'request_id of the repeat');
    },
  ),
  conformanceCase(
    'refuses a repeat of what failed, and runs it under a new identity',
    { charges: 1, rules: ['idempotency:failed:refused'], needs: ['chat', 'directives'] },
    async (kit) => {
      const identity = identified(kit.fresh('failed'));
      const failed = await kit.chat(say(directed('fail')), identity);
      kit.refused('idempotency:failed:refused', failed, 502, 'request_failed');
      const repeat = await kit.chat(say(directed('fail')), identity);
      kit.refused('idempotency:failed:refused', repeat, 409, 'previous_request_failed');
      kit.same(
        'idempotency:failed:refused',
        repeat.json.at('error', 'request_id').value,
        failed.json.at('error', 'request_id').value,
        'request_id of the repeat',
      );
      kit.taken('idempotency:failed:refused', await kit.chat(hello, identified(kit.fresh('again'))));
    },
  ),
  conformanceCase(
    'refuses a repeat of what is uncertain',
    { rules: ['idempotency:uncertain:refused', 'errors:uncertain:first-answer'], needs: ['chat', 'directives'] },
    async (kit) => {
      const identity = identified(kit.fresh('uncertain'));
      const first = await kit.chat(say(directed('unknown')), identity);
      kit.refused('errors:uncertain:first-answer', first, 502, 'request_failed');
      const id = first.json.at('error', 'request_id').text();
      const repeat = await kit.chat(say(directed('unknown')), identity);
      kit.refused('idempotency:uncertain:refused', repeat, 409, 'settlement_pending');
      kit.same(
        'idempotency:uncertain:refused',
        repeat.json.at('error', 'request_id').value,
        id,
        'request_id of the repeat',
      );
      const record = kit.taken('errors:uncertain:first-answer', await kit.send({ path: `/requests/${id}` }));
      kit.same(
        'errors:uncertain:first-answer',
        [record.at('status').value, record.at('error_code').value],
        ['uncertain', 'settlement_pending'],
        'status and error_code of the record',
      );
    },
  ),
  conformanceCase(
    'uses up no identity on a refusal',
    { charges: 1, rules: ['idempotency:refused:not-consumed'] },
    async (kit) => {
      const identity = identified(kit.fresh('refused'));
      kit.refused('idempotency:refused:not-consumed', await kit.chat('{', identity), 400, 'invalid_json');
      kit.refused(
        'idempotency:refused:not-consumed',
        await kit.chat({ ...hello, temperature: 3 }, identity),
        422,
        'invalid_temperature',
      );
      const answer = await kit.chat(hello, identity);
      kit.taken('idempotency:refused:not-consumed', answer);
      kit.same(
        'idempotency:refused:not-consumed',
        answer.headers.get('idempotency-replayed'),
        'false',
        'Idempotency-Replayed',
      );
    },
  ),
  conformanceCase(
    'recovers what is made in the background',
    { rules: ['idempotency:async:recover', 'idempotency:header:optional'] },
    async (kit) => {
      const bodies = [
        ['/stores', { display_name: 'Once' }],
        ['/agents', { system_instruction: 'Be brief.' }],
        ['/environments', {}],
        ['/interactions', kit.body('chat', { input: 'Hello' })],
      ] as const;
      for (const [path, body] of bodies) {
        const identity = identified(kit.fresh('resource'));
        const first = kit.taken('idempotency:async:recover', await kit.send({ ...identity, path, body }));
        const again = await kit.send({ ...identity, path, body });
        kit.same(
          'idempotency:async:recover',
          kit.taken('idempotency:async:recover', again).at('id').value,
          first.at('id').value,
          `the id of a repeat on ${path}`,
        );
        kit.same(
          'idempotency:async:recover',
          again.headers.get('idempotency-replayed'),
          'true',
          `Idempotency-Replayed of a repeat on ${path}`,
        );
        const other = await kit.send({ path, body });
        kit.holds(
          'idempotency:header:optional',
          other.json.at('id').value !== first.at('id').value,
          `two creations on ${path} are one`,
        );
      }
    },
  ),
  conformanceCase(
    'does not cancel for a client that leaves',
    { charges: 1, rules: ['requests:timeout:not-cancel'], needs: ['chat', 'directives'] },
    async (kit) => {
      const { ask, done, leave } = await whileRunning(kit, kit.rule);
      leave();
      await done.catch(() => null);
      const answer = await kit.until(ask, ({ status }) => status !== 409);
      kit.taken('requests:timeout:not-cancel', answer);
      const replayed = answer.headers.get('idempotency-replayed');
      kit.same('requests:timeout:not-cancel', replayed, 'true', 'Idempotency-Replayed of the recovery');
    },
  ),
];
