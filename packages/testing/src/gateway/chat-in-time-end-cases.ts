import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Part } from '@tollgate/provider';
import { assertRefused, eventsOf, jsonOf, requestIdOf } from './answer.ts';
import { call, chunksIn, compatible, contentIn, openChat, streaming, withUsage } from './chat-in-time-reading.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { text, thought } from './generate-stream-reading.ts';

const replayCases: readonly GatewayCase[] = [
  gatewayCase(
    'replays a chat by the chunks that it was sent in, byte for byte',
    async (world) => {
      const [high = '', low = ''] = '😀'.split('');
      const sequences: readonly (readonly Part[])[] = [
        [text('One '), text('and '), text('two.')],
        [thought('Hm'), thought(', '), text(''), text('so'), thought(' then'), text(' be it')],
        [call('a'), text('after'), call('b')],
        [text(high), text(low), text('\u2028')],
        [thought('only thought')],
      ];
      for (const [at, pieces] of sequences.entries()) {
        world.provider.script({ kind: 'answer', pieces });
        const headers = { 'idempotency-key': `chunks-${at}` };
        const first = await world.chat(withUsage, { headers });
        const again = await world.chat(withUsage, { headers });
        assert.equal(again.headers.get('idempotency-replayed'), 'true');
        assert.equal(again.text, first.text, `sequence ${at}`);
      }
      assert.equal(world.provider.calls.length, sequences.length);
    },
    compatible,
  ),
  gatewayCase(
    'replays what was filtered midway without its content',
    async (world) => {
      const generation = { finish: 'content_filter', text: 'Half' } as const;
      world.provider.script({ kind: 'answer', pieces: [text('Half')], generation });
      const headers = { 'idempotency-key': 'filtered' };
      const first = chunksIn((await world.chat(streaming, { headers })).text);
      assert.equal(contentIn(first), 'Half');
      assert.equal(first.at(-1)?.at('choices', 0, 'finish_reason').value, 'content_filter');
      const again = chunksIn((await world.chat(streaming, { headers })).text);
      assert.equal(contentIn(again), '');
      assert.equal(again.at(-1)?.at('choices', 0, 'finish_reason').value, 'content_filter');
    },
    compatible,
  ),
  gatewayCase(
    'finishes a chat for a client that leaves, and replays it whole',
    async (world) => {
      const { promise: until, resolve } = Promise.withResolvers<void>();
      const next = { kind: 'answer', pieces: [text('over.')] } as const;
      world.provider.script({ kind: 'wait', pieces: [text('Left ')], until, next });
      const response = await openChat(world, 'left');
      await response.body?.cancel();
      resolve();
      const id = response.headers.get('x-request-id') ?? '';
      while ((await world.record(id)).at('status').value !== 'completed') await nextTurn();
      assert.equal((await world.record(id)).at('charged_credits').value, 0.02);
      const replay = await world.chat(streaming, { headers: { 'idempotency-key': 'left' } });
      assert.equal(contentIn(chunksIn(replay.text)), 'Left over.');
      assert.equal(world.provider.calls.length, 1);
    },
    compatible,
  ),
];

const failureCases: readonly GatewayCase[] = [
  gatewayCase(
    'fails as JSON before the first chunk',
    async (world) => {
      world.provider.script({ kind: 'not_executed', reason: 'failed' }, { kind: 'unknown' });
      for (const status of ['failed', 'uncertain']) {
        const id = assertRefused(await world.chat(streaming), 502, 'request_failed')
          .at('request_id')
          .text();
        assert.equal((await world.record(id)).at('status').value, status);
      }
    },
    compatible,
  ),
  gatewayCase(
    'ends a chat that fails after its first chunk with an error in the data, and keeps its hold',
    async (world) => {
      const pieces = [text('Half')];
      world.provider.script({ kind: 'not_executed', reason: 'unavailable', pieces }, { kind: 'unknown', pieces });
      for (let turn = 0; turn < 2; turn += 1) {
        const answer = await world.chat(streaming);
        assert.equal(answer.status, 200);
        const events = eventsOf(answer);
        assert.equal(events.length, 3, answer.text);
        const told = jsonOf(JSON.parse(events[2] ?? '')).at('error');
        assert.equal(told.at('code').value, 'request_failed');
        assert.equal(told.at('request_id').value, requestIdOf(answer));
        assert.ok(!/finish_reason":"|\[DONE\]/.test(answer.text), answer.text);
        assert.equal((await world.record(requestIdOf(answer))).at('status').value, 'uncertain');
      }
    },
    compatible,
  ),
  gatewayCase(
    'ends a chat that could not be debited with an error, and completes it later',
    async (world) => {
      const usage = [{ unit: 'output_text_tokens', quantity: 10_000_000, confirmed: true }] as const;
      world.provider.script({ kind: 'answer', pieces: [text('Much')], generation: { usage } });
      const headers = { 'idempotency-key': 'much' };
      const answer = await world.chat(streaming, { headers });
      assert.ok(answer.text.includes('"code":"settlement_pending"'), answer.text);
      assert.ok(!/finish_reason":"|\[DONE\]/.test(answer.text), answer.text);
      await world.wallet.deposit(world.accountId, 100_000_000_000n);
      world.time.advance(120_000);
      await world.runJobs();
      assert.equal(contentIn(chunksIn((await world.chat(streaming, { headers })).text)), 'Much');
    },
    compatible,
  ),
];

/** How a chat that is sent in time is replayed, and how it fails. */
export const chatInTimeEndCases: readonly GatewayCase[] = [...replayCases, ...failureCases];
