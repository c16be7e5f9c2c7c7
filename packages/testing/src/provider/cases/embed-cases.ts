import assert from 'node:assert/strict';
import type { EmbeddingInput } from '@tollgate/provider';
import { checkMeasured } from '../generation-checks.ts';
import type { ProviderCase } from '../provider-case.ts';
import { answered, baseTexts, refusalOf, runEmbed } from '../provider-run.ts';

const texts = (...given: readonly string[]): { readonly input: EmbeddingInput } => ({
  input: { kind: 'texts', texts: given },
});

const smallImage = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const content: EmbeddingInput = {
  kind: 'content',
  parts: [
    { kind: 'text', text: 'A dot.' },
    { kind: 'media', mimeType: 'image/png', data: smallImage },
  ],
};

/** What an embedding owes beside its conduct. */
export const embedCases: readonly ProviderCase[] = [
  {
    title: 'embedding: returns a vector for each text, in order, with confirmed usage',
    promise: 'P25',
    needs: ['embed'],
    run: async (underTest) => {
      const together = answered(await runEmbed(underTest, 'vectors'));
      checkMeasured(together);
      const [first, , last] = baseTexts;
      const alone = [
        ...answered(await runEmbed(underTest, 'vectors', { call: texts(first) })).vectors,
        ...answered(await runEmbed(underTest, 'vectors', { call: texts(last) })).vectors,
      ];
      assert.deepEqual([together.vectors[0], together.vectors[2]], alone);
      assert.notDeepEqual(together.vectors[0], together.vectors[2]);
    },
  },
  {
    title: 'embedding: returns as many dimensions as are asked for, or refuses the setting',
    promise: 'P25',
    needs: ['embed'],
    run: async (underTest) => {
      const run = await runEmbed(underTest, 'vectors', { call: { dimensions: 2 } });
      if (run.answer === undefined) assert.equal(refusalOf(run).reason, 'unsupported');
      else
        assert.ok(
          run.answer.vectors.every(({ length }) => length === 2),
          'other dimensions than were asked for',
        );
    },
  },
  {
    title: 'embedding: returns one vector for a content, or refuses it before it sends anything',
    promise: 'P25',
    needs: ['embed'],
    run: async (underTest) => {
      const run = await runEmbed(underTest, 'vectors', { call: { input: content } });
      if (run.answer !== undefined) return;
      assert.equal(refusalOf(run).reason, 'unsupported');
      assert.deepEqual(run.attempts, []);
    },
  },
  {
    title: 'embedding: confirms no usage that was not measured',
    promise: 'P4',
    needs: ['embed'],
    run: async (underTest) => {
      const { usage } = answered(await runEmbed(underTest, 'missing_usage'));
      assert.ok(!usage.some(({ confirmed }) => confirmed), 'unmeasured usage is confirmed');
    },
  },
];
