import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { uuidPattern } from '../kit/vocabulary.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { parseJson } from '../wire/json.ts';
import { readEvents } from '../wire/read-events.ts';
import { afterHello, directed, hello, identified, say, weatherTool } from './bodies.ts';

export const chatAnswerCases: readonly ConformanceCase[] = [
  conformanceCase(
    'returns a completion with all its fields',
    {
      charges: 1,
      rules: ['chat:response:fields', 'chat:response:service', 'chat:response:public-model', 'chat:response:id'],
    },
    async (kit) => {
      const answer = kit.taken('chat:response:fields', await kit.chat());
      kit.same('chat:response:fields', answer.at('object').value, 'chat.completion', 'object');
      kit.holds(
        'chat:response:fields',
        Math.abs(answer.at('created').number() - Date.now() / 1_000) < 86_400 &&
          Number.isInteger(answer.at('created').value),
        'created is no Unix time in seconds',
      );
      const choice = answer.at('choices', 0);
      kit.same(
        'chat:response:fields',
        [choice.at('index').value, choice.at('message', 'role').value],
        [0, 'assistant'],
        'index and role',
      );
      kit.holds('chat:response:fields', choice.at('message', 'content').text() !== '', 'no content');
      kit.same('chat:response:fields', choice.at('finish_reason').value, 'stop', 'finish_reason');
      const service = answer.at(kit.brand);
      kit.same(
        'chat:response:service',
        service.keys().toSorted(),
        ['credits', 'project_id', 'request_id'],
        `the fields of ${kit.brand}`,
      );
      for (const name of ['request_id', 'project_id'])
        kit.holds('chat:response:service', uuidPattern.test(service.at(name).text()), `${name} is no uuid`);
      kit.holds('chat:response:service', service.at('credits').number() >= 0, 'credits are no number');
      const { json } = await kit.send({ path: `/models/${answer.at('model').text()}` });
      kit.same(
        'chat:response:public-model',
        json.at('id').value,
        answer.at('model').value,
        'model is an id of the catalog',
      );
      kit.same('chat:response:id', answer.at('id').value, `chatcmpl-${service.at('request_id').text()}`, 'id');
      const { status } = await kit.send({ path: `/requests/${answer.at('id').text().replace('chatcmpl-', '')}` });
      kit.same('chat:response:id', status, 200, 'the status of the request of this id');
    },
  ),
  conformanceCase(
    'carries the headers of a response',
    {
      charges: 1,
      rules: [
        'chat:response:headers-request-id',
        'chat:response:headers-no-store',
        'chat:response:headers-idempotency-replayed',
      ],
    },
    async (kit) => {
      const identity = identified(kit.fresh('headers'));
      for (const replayed of ['false', 'true']) {
        const answer = await kit.chat(hello, identity);
        kit.same(
          'chat:response:headers-request-id',
          requestIdOf(answer),
          answer.json.at(kit.brand, 'request_id').value,
          'X-Request-Id',
        );
        kit.same('chat:response:headers-no-store', answer.headers.get('cache-control'), 'no-store', 'Cache-Control');
        kit.same(
          'chat:response:headers-idempotency-replayed',
          answer.headers.get('idempotency-replayed'),
          replayed,
          'Idempotency-Replayed',
        );
      }
    },
  ),
  conformanceCase(
    'shows no usage by default',
    { charges: 1, rules: ['chat:usage:unary-option'], needs: ['chat', 'strict'] },
    async (kit) => {
      kit.absent(
        'chat:usage:unary-option',
        kit.taken('chat:usage:unary-option', await kit.chat()).at('usage').value,
        'usage',
      );
    },
  ),
  conformanceCase(
    'tells three ways to end',
    {
      charges: 3,
      rules: ['chat:response:finish-reasons', 'chat:response:content-filter'],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const reasons = [
        ['echo whole', 'stop'],
        ['length', 'length'],
        ['filter', 'content_filter'],
      ] as const;
      for (const [what, finish] of reasons) {
        const answer = kit.taken('chat:response:finish-reasons', await kit.chat(say(directed(what))));
        kit.same(
          'chat:response:finish-reasons',
          answer.at('choices', 0, 'finish_reason').value,
          finish,
          'finish_reason',
        );
        const { value } = answer.at('choices', 0, 'message', 'content');
        if (finish === 'content_filter')
          kit.holds('chat:response:content-filter', value === null || value === '', 'text of a filtered answer');
      }
    },
  ),
  conformanceCase(
    'proposes calls of functions, and takes their results',
    {
      charges: 2,
      rules: ['chat:response:tool-calls-several', 'chat:tools:round-trip', 'chat:message:context-return'],
      needs: ['chat', 'directives', 'can:functions'],
    },
    async (kit) => {
      const asked = say(directed('tool weather {"city":"Lisbon"}', 'tool weather {"city":"Porto"}'), {
        tools: [weatherTool],
      });
      const answer = kit.taken('chat:response:tool-calls-several', await kit.chat(asked));
      const message = answer.at('choices', 0, 'message');
      const calls = message.at('tool_calls').list();
      const cities = calls.map((call) => parseJson(call.at('function', 'arguments').text()).at('city').value);
      kit.same('chat:response:tool-calls-several', cities, ['Lisbon', 'Porto'], 'the arguments of the calls');
      const ids = new Set(calls.map((call) => call.at('id').text()).filter(Boolean));
      kit.same('chat:response:tool-calls-several', ids.size, 2, 'ids of the calls');
      const results = calls.map((call) => ({
        role: 'tool',
        tool_call_id: call.at('id').value,
        content: '{"sky":"blue"}',
      }));
      const messages = [{ role: 'user', content: 'How is the weather?' }, message.value, ...results];
      const next = kit.taken('chat:tools:round-trip', await kit.chat({ messages, tools: [weatherTool] }));
      kit.holds(
        'chat:tools:round-trip',
        next.at(kit.brand, 'request_id').value !== answer.at(kit.brand, 'request_id').value,
        'the second step is no operation of its own',
      );
      kit.holds(
        'chat:message:context-return',
        next.at('choices', 0, 'message', 'content').text() !== '',
        'no reply to the results',
      );
    },
  ),
  conformanceCase(
    'ends with stop beside tool calls',
    {
      charges: 1,
      rules: ['chat:response:finish-with-tools'],
      needs: ['chat', 'directives', 'strict', 'can:functions'],
    },
    async (kit) => {
      const answer = kit.taken(
        'chat:response:finish-with-tools',
        await kit.chat(say(directed('tool weather {}'), { tools: [weatherTool] })),
      );
      kit.same(
        'chat:response:finish-with-tools',
        answer.at('choices', 0, 'finish_reason').value,
        'stop',
        'finish_reason',
      );
    },
  ),
  conformanceCase('refuses a context that it did not seal', { rules: ['chat:message:context-sealed'] }, async (kit) => {
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
    for (const context of ['forged', 'x'.repeat(70_000)]) {
      const message = { role: 'assistant', content: null, tool_calls: [call], context };
      const answer = await kit.chat(afterHello(message, { role: 'tool', tool_call_id: 'c1', content: 'seen' }));
      kit.refused('chat:message:context-sealed', answer, 422, 'invalid_messages');
    }
  }),
  conformanceCase(
    'returns the result of executed code alone',
    {
      charges: 1,
      rules: ['chat:tools:code-execution-result-only'],
      needs: ['chat', 'test-mode', 'can:code_execution'],
    },
    async (kit) => {
      const answer = await kit.chat(say(directed('code print(6 * 7)'), { tools: [{ type: 'code_execution' }] }));
      if (answer.status === 422) return;
      const message = kit.taken('chat:tools:code-execution-result-only', answer).at('choices', 0, 'message');
      kit.holds(
        'chat:tools:code-execution-result-only',
        message.at('content').text() !== '' && message.at('executable_code').value === undefined,
        'there is no text, or the code beside it',
      );
      kit.same(
        'chat:tools:code-execution-result-only',
        message.keys().filter((name) => !['role', 'content', 'context'].includes(name)),
        [],
        'further fields of the message',
      );
    },
  ),
  conformanceCase(
    'fails as JSON before delivery, stream or not',
    { rules: ['chat:response:json-error-before-delivery'], needs: ['chat', 'directives'] },
    async (kit) => {
      for (const stream of [true, false]) {
        const answer = await kit.chat(say(directed('fail'), { stream }));
        kit.refused('chat:response:json-error-before-delivery', answer, 502, 'request_failed');
        kit.holds(
          'chat:response:json-error-before-delivery',
          answer.headers.get('content-type')?.startsWith('application/json') === true,
          `the type is ${answer.headers.get('content-type')}`,
        );
      }
    },
  ),
  conformanceCase(
    'keeps texts with line ends and quotes as they are',
    { charges: 2, rules: ['chat:response:fields', 'stream:sse:blank-line'], needs: ['chat', 'directives'] },
    async (kit) => {
      const text = 'one "two" \\ three ü 漢';
      const answer = kit.taken('chat:response:fields', await kit.chat(say(directed(`echo ${text}`))));
      kit.same('chat:response:fields', answer.at('choices', 0, 'message', 'content').value, text, 'content');
      const streamed = await kit.chat(say(directed(`echo ${text}`), { stream: true }));
      kit.holds('stream:sse:blank-line', streamed.text.endsWith('\n\n'), 'the last event is not ended by a blank line');
      const whole = readEvents(streamed.text)
        .map(({ data }) => parseJson(data).at('choices', 0, 'delta', 'content').text())
        .join('');
      kit.same('stream:sse:blank-line', whole, text, 'the content of the stream');
    },
  ),
];
