import assert from 'node:assert/strict';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { liveClient, nextJson, poorClient, holdState } from './live-ask.ts';

/** 2,000 tokens by its bytes. */
const longText = JSON.stringify({ realtimeInput: { text: 'x'.repeat(8_000) } });

/** Input that is sent before any measure comes. */
export const liveBurstCases: readonly GatewayCase[] = [
  gatewayCase(
    'sends nothing upstream that is not held for: a burst of frames in one turn ends with 4402 [live:close:insufficient] [live:reservation:renewed]',
    async (world) => {
      const client = await poorClient(world, 9_000_000n);
      const { socket, upstream, id } = await client.open();
      upstream.lastWord = null;
      // Each costs 2 credits, and half of the first minute stays free for the response: two are covered.
      for (let count = 0; count < 8; count += 1) socket.send(longText);
      const goAway = await nextJson(socket);
      assert.equal(goAway.at('error', 'code').value, 'ai_insufficient_credits');
      assert.equal(await socket.closed, 4402);
      assert.equal(upstream.heard.length, 2);
      upstream.use({ input_text_tokens: 4_000, output_text_tokens: 1_000 });
      upstream.end({ cause: 'ended', measured: true });
      assert.deepEqual(holdState(await client.ended(id)), ['completed', 6, 0, null]);
      const [operation] = await world.admin.listOperations({ kind: 'project', projectId: client.projectId });
      assert.equal(operation?.absorbedMicros, 0n);
      assert.ok(operation.holdMicros <= 9_000_000n);
    },
  ),
  gatewayCase(
    'holds for what a turn sends before its measure comes, and sends it in order [live:reservation:renewed]',
    async (world) => {
      const client = await liveClient(world);
      const { socket, upstream, id } = await client.open();
      const texts = Array.from({ length: 8 }, (_, count) => `${count}${'x'.repeat(8_000)}`);
      for (const text of texts) socket.send(JSON.stringify({ realtimeInput: { text } }));
      await upstream.received(texts.length);
      assert.deepEqual(
        upstream.heard,
        texts.map((text) => ({ realtimeInput: { text } })),
      );
      assert.ok((await client.record(id)).at('reserved_credits').number() >= 16);
      upstream.use({ input_text_tokens: 16_000 });
      socket.close();
      assert.deepEqual(holdState(await client.ended(id)), ['completed', 16, 0, null]);
    },
  ),
];
