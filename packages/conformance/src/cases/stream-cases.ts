import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Kit } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';
import { requestIdOf, type Answer } from '../wire/exchange.ts';
import { parseJson, type Json } from '../wire/json.ts';
import { readEvents } from '../wire/read-events.ts';
import { directed, identified, say, weatherTool } from './bodies.ts';

const streaming = say('Hello', { stream: true });

/** The two chunks of a chat stream, whose form the rule is about. */
const chunksOf = (kit: Kit, rule: RuleId, answer: Answer): readonly Json[] => {
  kit.about(answer);
  kit.need(rule, answer.status === 200, `a stream was refused with ${answer.status}`);
  const events = readEvents(answer.text);
  kit.same(rule, events.at(-1)?.data, '[DONE]', 'the last event');
  return events.slice(0, -1).map(({ data }) => parseJson(data));
};

export const streamCases: readonly ConformanceCase[] = [
  conformanceCase(
    'streams two chunks of one id and the end',
    {
      charges: 1,
      rules: ['stream:chat:three-events', 'stream:chat:first-chunk', 'stream:chat:second-chunk'],
      needs: ['chat', 'strict'],
    },
    async (kit) => {
      const answer = await kit.chat(streaming);
      const chunks = chunksOf(kit, 'stream:chat:three-events', answer);
      kit.same('stream:chat:three-events', chunks.length, 2, 'chunks before [DONE]');
      const [first, second] = chunks;
      if (first === undefined || second === undefined) return;
      kit.same('stream:chat:three-events', second.at('id').value, first.at('id').value, 'the id of the second chunk');
      kit.same('stream:chat:first-chunk', first.at('object').value, 'chat.completion.chunk', 'object');
      const choice = first.at('choices', 0);
      kit.same(
        'stream:chat:first-chunk',
        [choice.at('index').value, choice.at('delta', 'role').value, choice.at('finish_reason').value],
        [0, 'assistant', null],
        'index, role and finish_reason',
      );
      kit.holds(
        'stream:chat:first-chunk',
        choice.at('delta', 'content').text() !== '' &&
          first.at('model').text() !== '' &&
          Number.isInteger(first.at('created').value),
        'content, model or created is missing',
      );
      kit.same(
        'stream:chat:second-chunk',
        second.at('choices', 0).value,
        { index: 0, delta: {}, finish_reason: 'stop' },
        'the choice',
      );
      kit.same('stream:chat:second-chunk', second.at(kit.brand, 'request_id').value, requestIdOf(answer), 'request_id');
      kit.same(
        'stream:chat:second-chunk',
        second.at(kit.brand).keys().toSorted(),
        ['credits', 'project_id', 'request_id'],
        `the fields of ${kit.brand}`,
      );
    },
  ),
  conformanceCase(
    'tells usage on the second chunk when asked to',
    { charges: 2, rules: ['stream:chat:usage', 'stream:chat:second-chunk'] },
    async (kit) => {
      for (const include_usage of [true, false]) {
        const chunks = chunksOf(
          kit,
          'stream:chat:usage',
          await kit.chat({ ...streaming, stream_options: { include_usage } }),
        );
        const usage = chunks.at(-1)?.at('usage');
        if (include_usage)
          kit.same(
            'stream:chat:usage',
            usage?.at('total_tokens').value,
            (usage?.at('prompt_tokens').number() ?? 0) + (usage?.at('completion_tokens').number() ?? 0),
            'total_tokens',
          );
        else kit.absent('stream:chat:usage', usage?.value, 'usage');
        kit.holds(
          'stream:chat:second-chunk',
          (chunks.at(-1)?.at(kit.brand, 'credits').number() ?? Number.NaN) >= 0,
          'no credits on the second chunk',
        );
      }
    },
  ),
  conformanceCase(
    'streams with the headers of a plain response',
    { charges: 1, rules: ['stream:sse:headers', 'idempotency:replay:stream'] },
    async (kit) => {
      const identity = identified(kit.fresh('stream'));
      const first = await kit.chat(streaming, identity);
      const again = await kit.chat(streaming, identity);
      for (const [answer, replayed] of [
        [first, 'false'],
        [again, 'true'],
      ] as const) {
        kit.about(answer);
        kit.holds(
          'stream:sse:headers',
          answer.headers.get('content-type')?.startsWith('text/event-stream') === true,
          `the type is ${answer.headers.get('content-type')}`,
        );
        kit.same(
          'stream:sse:headers',
          [answer.headers.get('cache-control'), answer.headers.get('idempotency-replayed')],
          ['no-store', replayed],
          'Cache-Control and Idempotency-Replayed',
        );
        kit.holds('stream:sse:headers', requestIdOf(answer) !== '', 'no X-Request-Id');
      }
      kit.same('idempotency:replay:stream', readEvents(again.text), readEvents(first.text), 'the events of the repeat');
      kit.same('idempotency:replay:stream', again.headers.get('idempotency-replayed'), 'true', 'Idempotency-Replayed');
    },
  ),
  conformanceCase(
    'sends nothing before the debit is written',
    { charges: 1, rules: ['stream:chat:after-completion'] },
    async (kit) => {
      const answer = await kit.open({ path: '/chat/completions', body: kit.body('chat', streaming) });
      const record = kit.taken(
        'stream:chat:after-completion',
        await kit.send({ path: `/requests/${requestIdOf(answer)}` }),
      );
      kit.same(
        'stream:chat:after-completion',
        record.at('status').value,
        'completed',
        'the status of the request when the first byte is there',
      );
      await answer.rest();
    },
  ),
  conformanceCase(
    'numbers the calls of a stream',
    { charges: 1, rules: ['stream:chat:tool-call-index'], needs: ['chat', 'directives', 'can:functions'] },
    async (kit) => {
      const asked = say(directed('tool weather {"city":"Lisbon"}', 'tool weather {}'), {
        stream: true,
        tools: [weatherTool],
      });
      const calls = chunksOf(kit, 'stream:chat:tool-call-index', await kit.chat(asked)).flatMap((chunk) =>
        chunk.at('choices', 0, 'delta', 'tool_calls').list(),
      );
      kit.same(
        'stream:chat:tool-call-index',
        [...new Set(calls.map((call) => call.at('index').value))],
        [0, 1],
        'index of the calls',
      );
    },
  ),
];
