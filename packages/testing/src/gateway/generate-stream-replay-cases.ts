import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Part } from '@tollgate/provider';
import { assertRefused, okJson, requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { generate, helloBody, streamGenerate } from './generate-ask.ts';
import { openStream, readWhole, text, textIn, thought } from './generate-stream-reading.ts';

/** What a client gets of a stream that it asks for once more, or whose first reader has left. */
export const generateStreamReplayCases: readonly GatewayCase[] = [
  gatewayCase('replays a stream by the events that it was sent in, byte for byte (G66)', async (world) => {
    const call: Part = { kind: 'function_call', id: 'c1', name: 'look', arguments: '{"at":[1]}' };
    const malformed: Part = { kind: 'function_call', id: 'c2', name: 'look', arguments: '{' };
    const signed: Part = { kind: 'text', text: 'signed', context: 'sig' };
    // Halves of one character, in two pieces.
    const [high = '', low = ''] = '😀'.split('');
    const sequences: readonly (readonly Part[])[] = [
      [text('One '), text('and '), text('two.')],
      [thought('Hm'), thought(', '), text(''), text('so'), thought(''), text(' be it')],
      [text('a'), signed, text('b'), call, text('c'), call],
      [text(high), text(low), text('\u2028')],
      [text('before'), malformed, text('behind')],
    ];
    for (const [at, pieces] of sequences.entries()) {
      world.provider.script({ kind: 'answer', pieces });
      const headers = { 'idempotency-key': `divided-${at}` };
      const first = await streamGenerate(world, helloBody, { headers });
      const again = await streamGenerate(world, helloBody, { headers });
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
      assert.equal(again.text, first.text, `sequence ${at}`);
      const sent: readonly Part[] = pieces.filter((piece) => piece !== malformed);
      assert.equal(readWhole(again).content.length, sent.length + 1);
    }
  }),
  gatewayCase('replays a stream as a stream, and always the same', async (world) => {
    world.provider.script({ kind: 'answer', pieces: [text('One '), text('and '), text('two.')] });
    const headers = { 'idempotency-key': 'stream' };
    const first = await streamGenerate(world, helloBody, { headers });
    const again = await streamGenerate(world, helloBody, { headers });
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(textIn(readWhole(again).content), textIn(readWhole(first).content));
    assert.deepEqual(readWhole(again).completed.value, readWhole(first).completed.value);
    assert.equal((await streamGenerate(world, helloBody, { headers })).text, again.text);
    const record = await world.record(requestIdOf(first));
    assert.equal(record.at('response', 'candidates', 0, 'content', 'parts', 0, 'text').value, 'One and two.');
    assert.equal(record.at('response', 'candidates', 0, 'content', 'parts').list().length, 1);
    assert.equal(world.provider.calls.length, 1);
  }),
  gatewayCase('takes the query for no part of the identity [idempotency:body:query-excluded]', async (world) => {
    const headers = { 'idempotency-key': 'query' };
    await streamGenerate(world, helloBody, { headers });
    const again = await streamGenerate(world, helloBody, { headers, query: '?alt=sse' });
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    readWhole(again, false);
    readWhole(await streamGenerate(world, helloBody, { headers }));
    assert.equal(world.provider.calls.length, 1);
  }),
  gatewayCase('takes the two routes for two requests', async (world) => {
    const headers = { 'idempotency-key': 'route' };
    okJson(await generate(world, helloBody, { headers }));
    assertRefused(await streamGenerate(world, helloBody, { headers }), 409, 'ai_idempotency_conflict');
  }),
  gatewayCase('streams a refused prompt without content', async (world) => {
    const refused = { text: '', finish: 'content_filter', promptBlock: 'SAFETY' } as const;
    world.provider.script({ kind: 'answer', generation: refused });
    const [event, ...more] = readWhole(await streamGenerate(world)).content;
    assert.deepEqual([event?.at('promptFeedback').value, more], [{ blockReason: 'SAFETY' }, []]);
    assert.equal(event?.at('candidates').value, undefined);
  }),
  gatewayCase('finishes for a client that leaves', async (world) => {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    world.provider.script({
      kind: 'wait',
      pieces: [text('Left ')],
      until,
      next: { kind: 'answer', pieces: [text('over.')] },
    });
    const response = await openStream(world, { 'idempotency-key': 'left' });
    await response.body?.cancel();
    assert.equal(world.provider.calls[0]?.context.signal.aborted, false);
    resolve();
    const id = response.headers.get('x-request-id') ?? '';
    // What is left to do is done in turns of the event loop, which only a wait hands on.
    while ((await world.record(id)).at('status').value !== 'completed') await nextTurn();
    const replay = await streamGenerate(world, helloBody, { headers: { 'idempotency-key': 'left' } });
    assert.equal(textIn(readWhole(replay).content), 'Left over.');
    assert.equal(world.provider.calls.length, 1);
  }),
];
