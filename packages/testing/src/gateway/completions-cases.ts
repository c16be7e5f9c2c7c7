import assert from 'node:assert/strict';
import { assertRefused, okJson, requestIdOf, type Answer } from './answer.ts';
import { chunksIn } from './chat-in-time-reading.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { text, thought } from './generate-stream-reading.ts';
import type { GatewayWorld } from './gateway-world.ts';

const settings = { compatibility: { openai: true } } as const;

const complete = (world: GatewayWorld, body: object, key = ''): Promise<Answer> =>
  world.send({ path: '/completions', body, headers: key === '' ? {} : { 'idempotency-key': key } });

const refusals: readonly (readonly [body: object, field: string])[] = [
  [{}, 'prompt'],
  [{ prompt: '' }, 'prompt'],
  [{ prompt: ['One', 'Two'] }, 'prompt'],
  [{ prompt: [1, 2] }, 'prompt'],
  [{ prompt: 'Hello', n: 2 }, 'n'],
  [{ prompt: 'Hello', echo: true }, 'echo'],
  [{ prompt: 'Hello', suffix: 'x' }, 'suffix'],
];

/** The wire that came before chat. */
export const completionsCases: readonly GatewayCase[] = [
  gatewayCase(
    'completions: responds whole, with usage and credits, and its record and replay are the same',
    async (world) => {
      world.provider.script({ kind: 'answer', generation: { text: 'Good day.' } });
      const answer = await complete(world, { prompt: 'Hello', stop: 'END', max_tokens: 7 }, 'whole');
      const body = okJson(answer);
      assert.deepEqual(
        [body.at('object').value, body.at('choices', 0, 'text').value],
        ['text_completion', 'Good day.'],
      );
      assert.deepEqual(body.at('usage').value, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
      assert.equal(body.at('service', 'credits').value, 0.02);
      assert.equal((await complete(world, { prompt: 'Hello', stop: 'END', max_tokens: 7 }, 'whole')).text, answer.text);
      assert.deepEqual((await world.record(requestIdOf(answer))).at('response').value, body.value);
      const [{ call } = assert.fail()] = world.provider.calls;
      assert.deepEqual([call.outputTokensMax, call.sampling], [7, { stopSequences: ['END'] }]);
    },
    settings,
  ),
  gatewayCase(
    'completions: streams text in chunks, and replays them byte for byte',
    async (world) => {
      world.provider.script({ kind: 'answer', pieces: [thought('Hm'), text('One '), text('two.')] });
      const body = { prompt: ['Hello'], stream: true, stream_options: { include_usage: true } };
      const answer = await complete(world, body, 'stream');
      const chunks = chunksIn(answer.text);
      const texts = chunks.map((chunk) => chunk.at('choices', 0, 'text').value);
      assert.deepEqual(texts, ['One ', 'two.', '', undefined]);
      assert.equal(chunks[2]?.at('choices', 0, 'finish_reason').value, 'stop');
      assert.equal(chunks[3]?.at('usage', 'total_tokens').value, 15);
      assert.equal(chunks[3]?.at('service', 'credits').value, 0.02);
      assert.equal((await complete(world, body, 'stream')).text, answer.text);
      assert.equal(world.provider.calls.length, 1);
    },
    settings,
  ),
  gatewayCase(
    'completions: refuses what it does not take, and names the field',
    async (world) => {
      for (const [body, field] of refusals) {
        const answer = await complete(world, body);
        assert.equal(answer.status, 422, answer.text);
        assert.ok(answer.text.includes(`The field ${field}`), answer.text);
      }
      assertRefused(
        await world.send({ path: '/completions', body: { prompt: 'Hello' }, key: null }),
        401,
        'invalid_api_key',
      );
      assert.equal(world.provider.calls.length, 0);
    },
    settings,
  ),
];
