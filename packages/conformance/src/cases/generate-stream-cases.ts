import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { parseJson } from '../wire/json.ts';
import { readEvents } from '../wire/read-events.ts';
import { generatePath } from './ask-each.ts';
import { contents, directed, identified } from './bodies.ts';

const last = (text: string) => readEvents(text).slice(-2);

const whole = (text: string) =>
  readEvents(text)
    .map(({ data }) => parseJson(data).at('candidates', 0, 'content', 'parts', 0, 'text').text())
    .join('');

export const generateStreamCases: readonly ConformanceCase[] = [
  conformanceCase(
    'completes a stream with one event of the credits, then the end',
    {
      charges: 1,
      rules: [
        'stream:generate:completed-event',
        'stream:generate:completed-once-after-content',
        'stream:generate:done',
      ],
    },
    async (kit) => {
      const answer = await kit.send({ path: generatePath(kit, true), body: contents('Hello') });
      const events = readEvents(answer.text);
      kit.same('stream:generate:done', events.at(-1), { event: null, data: '[DONE]' }, 'the last event');
      const completed = events.filter(({ event }) => event === 'content.completed');
      const once = 'stream:generate:completed-once-after-content';
      kit.same(once, completed.length, 1, 'events content.completed');
      kit.same(once, events.at(-2)?.event, 'content.completed', 'the event before the last');
      const data = parseJson(completed[0]?.data ?? '');
      kit.fields('stream:generate:completed-event', data, { type: 'content.completed' });
      const names = data.at(kit.brand).keys().toSorted();
      kit.same('stream:generate:completed-event', names, ['credits', 'project_id', 'request_id'], 'the receipt');
      const record = kit.taken(once, await kit.send({ path: `/requests/${requestIdOf(answer)}` }));
      kit.fields(once, record, { charged_credits: data.at(kit.brand, 'credits').value });
    },
  ),
  conformanceCase(
    'sends plain pieces in a stream of events',
    { charges: 1, rules: ['stream:generate:increments-plain', 'stream:sse:headers'] },
    async (kit) => {
      const answer = await kit.send({ path: generatePath(kit, true), body: contents('Hello') });
      const type = answer.headers.get('content-type') ?? '';
      kit.need('stream:sse:headers', type.startsWith('text/event-stream'), `${answer.status} ${type}`);
      const pieces = readEvents(answer.text).slice(0, -2);
      const named = pieces.filter(({ event }) => event !== null);
      const paid = pieces.filter(({ data }) => parseJson(data).at(kit.brand).value !== undefined);
      kit.holds('stream:generate:increments-plain', pieces.length > 0, 'there are no pieces');
      kit.same('stream:generate:increments-plain', [...named, ...paid], [], 'pieces with a name or a receipt');
    },
  ),
  conformanceCase(
    'leaves [DONE] out for alt=sse',
    { charges: 1, rules: ['stream:generate:alt-sse-omits-done', 'idempotency:body:query-excluded'] },
    async (kit) => {
      const identity = identified(kit.fresh('alt'));
      const path = generatePath(kit, true);
      const plain = await kit.send({ ...identity, path, body: contents('Hello') });
      const alt = await kit.send({ ...identity, path: `${path}?alt=sse`, body: contents('Hello') });
      kit.same(
        'stream:generate:alt-sse-omits-done',
        readEvents(alt.text).at(-1)?.event,
        'content.completed',
        'the last event',
      );
      kit.same(
        'idempotency:body:query-excluded',
        requestIdOf(alt),
        requestIdOf(plain),
        'X-Request-Id with another query',
      );
    },
  ),
  conformanceCase(
    'sends pieces while the upstream still writes',
    { charges: 1, rules: ['stream:generate:incremental'], needs: ['chat', 'directives'] },
    async (kit) => {
      const answer = await kit.open({
        path: generatePath(kit, true),
        body: contents(directed('stream 6 400', 'echo one two three four five six')),
      });
      const first = await answer.next();
      kit.holds(
        'stream:generate:incremental',
        first !== null && !first.includes('content.completed'),
        'the first bytes hold the whole stream',
      );
      const record = kit.taken(
        'stream:generate:incremental',
        await kit.send({ path: `/requests/${requestIdOf(answer)}` }),
      );
      kit.same(
        'stream:generate:incremental',
        record.at('status').value,
        'processing',
        'the status of the request after the first piece',
      );
      await answer.rest();
    },
  ),
  conformanceCase(
    'tells a failure before the first event as JSON',
    { rules: ['stream:generate:error-before-first-byte'], needs: ['chat', 'directives'] },
    async (kit) => {
      const answer = await kit.send({ path: generatePath(kit, true), body: contents(directed('fail')) });
      kit.refused('stream:generate:error-before-first-byte', answer, 502, 'request_failed');
      kit.holds(
        'stream:generate:error-before-first-byte',
        answer.headers.get('content-type')?.startsWith('application/json') === true,
        `the type is ${answer.headers.get('content-type')}`,
      );
    },
  ),
  conformanceCase(
    'tells a failure in the middle as an event, and never as success',
    { rules: ['stream:generate:error-midway'], needs: ['chat', 'directives'] },
    async (kit) => {
      const body = contents(directed('stream 4 20', 'cut 2', 'echo one two three four'));
      const open = await kit.open({ path: generatePath(kit, true), body });
      const answer = await open.rest().catch(() => null);
      kit.holds('stream:generate:error-midway', answer !== null, 'the response does not end in order');
      if (answer === null) return;
      const events = readEvents(answer.text);
      const failure = events.find(({ event }) => event === 'error');
      kit.holds('stream:generate:error-midway', failure !== undefined, 'no event: error');
      const error = parseJson(failure?.data ?? '').at('error');
      kit.same(
        'stream:generate:error-midway',
        error.at('request_id').value,
        requestIdOf(answer),
        'request_id of the error',
      );
      kit.holds(
        'stream:generate:error-midway',
        error.at('code').text() !== '' && error.at('message').text() !== '',
        'code or message is missing',
      );
      kit.holds(
        'stream:generate:error-midway',
        !events.some(({ event, data }) => event === 'content.completed' || data === '[DONE]'),
        'the stream shows success',
      );
    },
  ),
  conformanceCase(
    'gives a stream again as it was',
    { charges: 1, rules: ['idempotency:replay:stream'] },
    async (kit) => {
      const identity = identified(kit.fresh('restream'));
      const ask = { ...identity, path: generatePath(kit, true), body: contents('Hello') };
      const first = await kit.send(ask);
      const again = await kit.send(ask);
      kit.same('idempotency:replay:stream', last(again.text), last(first.text), 'the end of the repeat');
      kit.same('idempotency:replay:stream', whole(again.text), whole(first.text), 'the text of the repeat');
    },
  ),
];
