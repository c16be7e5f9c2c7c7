import type { ModeratedPart } from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { sandboxProvider } from './sandbox-provider.ts';

const text = (content: string): ModeratedPart => ({ kind: 'text', text: content });
const image: ModeratedPart = { kind: 'media', mimeType: 'image/png', data: 'AAAA' };

const judge = (...inputs: readonly (readonly ModeratedPart[])[]) =>
  sandboxProvider().moderate?.(
    { operationId: 'o', upstreamModel: 'judge', inputs },
    { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} },
  );

test('judges each input by its words, in order, and the same each time', async () => {
  const inputs = [[text('They KILL it.')], [text('A skilled hand.')]] as const;
  const found = await judge(...inputs);
  expect(found?.judgements.map(({ isFlagged }) => isFlagged)).toEqual([true, false]);
  expect(found?.judgements[0]?.categories.filter(({ isFlagged }) => isFlagged)).toEqual([
    { name: 'violence', isFlagged: true, score: 0.9, appliedTo: ['text'] },
  ]);
  expect(await judge(...inputs)).toEqual(found);
});

test('judges images by the categories that take them, and counts all that comes in', async () => {
  const found = await judge([text('Look at it.'), image]);
  const applied = found?.judgements[0]?.categories.filter(({ appliedTo }) => appliedTo.includes('image'));
  expect(applied?.map(({ name }) => name)).toContain('sexual');
  expect(found?.usage.map(({ unit, quantity }) => [unit, quantity])).toEqual([
    ['input_text_tokens', 3],
    ['input_image_tokens', 258],
  ]);
});

test('does what the directives in its texts say', async () => {
  await expect(judge([text('[[sandbox: fail]]')])).rejects.toMatchObject({ code: 'not_executed' });
  expect((await judge([text('[[sandbox: unknown-usage]]')]))?.usage).toEqual([]);
  expect((await judge([text('[[sandbox: tokens in=7]]')]))?.usage[0]?.quantity).toBe(7);
});
