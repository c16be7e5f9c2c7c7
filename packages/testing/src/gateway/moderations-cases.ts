import assert from 'node:assert/strict';
import { assertRefused, okJson, requestIdOf, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { mediaSamples } from './media-samples.ts';
import { suiteModel, suiteRow } from './suite-tariff.ts';

const judge = suiteRow({
  id: 'judge-1',
  routes: ['generate'],
  capabilities: ['moderation', 'image_input'],
  maxOutputTokens: 0,
});
const settings = {
  compatibility: { openai: true },
  catalog: [judge, suiteRow({ id: suiteModel }), suiteRow({ id: 'judge-of-text', capabilities: ['moderation'] })],
} as const;

const ask = async (world: GatewayWorld, body: object, identity = '', model = judge.id): Promise<Answer> => {
  const { key } = await world.createCaller({ projectId: world.projectId, model: null });
  const headers = identity === '' ? {} : { 'idempotency-key': identity };
  return world.send({ path: '/moderations', key, headers, body: { model, ...body } });
};

const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${mediaSamples.png}` } };
const text = { type: 'text', text: 'What is it?' };

const refusals: readonly (readonly [input: unknown, field: string])[] = [
  [undefined, 'input'],
  ['', 'input'],
  [[], 'input'],
  [[{ type: 'video_url' }], 'input'],
  [[{ ...image, image_url: { url: 'https://example.com/a.png' } }], 'input[0].image_url.url'],
];

/** What a model finds objectionable. */
export const moderationsCases: readonly GatewayCase[] = [
  gatewayCase(
    'moderations: judges each text, charges once by its input, and its record and replay are the same',
    async (world) => {
      const category = { name: 'violence', isFlagged: true, score: 0.9, appliedTo: ['text'] } as const;
      const flagged = { isFlagged: true, categories: [category] };
      world.provider.script({ kind: 'answer', moderations: { judgements: [flagged, flagged] } });
      const { key } = await world.createCaller({ projectId: world.projectId, model: judge.id });
      const asked = { path: '/moderations', key, headers: { 'idempotency-key': 'once' }, body: { input: ['a', 'b'] } };
      const answer = await world.send(asked);
      const body = okJson(answer);
      assert.equal(body.at('id').value, `modr-${requestIdOf(answer)}`);
      assert.equal(body.at('model').value, judge.id);
      assert.deepEqual(body.at('results', 1).value, {
        flagged: true,
        categories: { violence: true },
        category_scores: { violence: 0.9 },
        category_applied_input_types: { violence: ['text'] },
      });
      assert.equal(body.at('service', 'credits').value, 0.02);
      const again = await world.send(asked);
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [answer.text, 'true']);
      assert.deepEqual((await world.record(requestIdOf(answer))).at('response').value, body.value);
      assert.deepEqual(
        world.provider.moderationCalls.map(({ inputs }) => inputs),
        [[[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b' }]]],
      );
    },
    settings,
  ),
  gatewayCase(
    'moderations: judges a text and an image together',
    async (world) => {
      assert.equal(
        okJson(await ask(world, { input: [text, image] }))
          .at('results')
          .list().length,
        1,
      );
      assert.deepEqual(world.provider.moderationCalls.at(-1)?.inputs, [
        [
          { kind: 'text', text: 'What is it?' },
          { kind: 'media', mimeType: 'image/png', data: mediaSamples.png },
        ],
      ]);
    },
    settings,
  ),
  gatewayCase(
    'moderations: refuses a model that offers none by its name, and what it does not take by its field',
    async (world) => {
      const other = assertRefused(await ask(world, { input: 'a' }, '', suiteModel), 422, 'model_incompatible');
      assert.ok(other.at('message').text().includes(suiteModel));
      assertRefused(await ask(world, { input: [image] }, '', 'judge-of-text'), 422, 'unsupported_content');
      for (const [input, field] of refusals) {
        const answer = await ask(world, { input });
        assert.equal(answer.status, 422, answer.text);
        assert.ok(answer.text.includes(`The field ${field}`), answer.text);
      }
      assert.equal(world.provider.moderationCalls.length, 0);
    },
    settings,
  ),
  gatewayCase(
    'moderations: keeps the hold of one whose outcome is unknown, or whose judgements are not those of its inputs',
    async (world) => {
      world.provider.script({ kind: 'unknown' }, { kind: 'answer', moderations: { judgements: [] } });
      for (const identity of ['unknown', 'other']) {
        const answer = await ask(world, { input: 'a' }, identity);
        assertRefused(answer, 502, 'request_failed');
        const record = await world.record(requestIdOf(answer));
        assert.equal(record.at('status').value, 'uncertain');
        assert.ok(record.at('reserved_credits').number() > 0);
      }
    },
    settings,
  ),
];
