import { expect, test } from 'vitest';
import { createPageReader } from './page-text.ts';

test.each([
  ['deep', '<div>'.repeat(200_000) + 'text'],
  ['unclosed', '<p><b><i>'.repeat(100_000) + 'text'],
  ['wide', '<i>a</i>'.repeat(200_000)],
  ['one attribute', `<p title="${'x'.repeat(2_000_000)}">text`],
  ['a table of tables', '<table><tr><td>'.repeat(5_000) + 'text'],
  ['entities', '&amp;'.repeat(400_000)],
  ['nothing', ''],
  ['zero bytes', '\0'.repeat(100_000)],
  ['half of a character', '<p>\ud83d'],
])('reads a hostile page or gives up on it, in bounded time: %s', async (_, html) => {
  const startedAt = performance.now();
  const page = await createPageReader({ readMs: 5_000 })(html, 1_000);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(page?.text.length ?? 0).toBeLessThanOrEqual(1_000);
  expect(page?.text.isWellFormed() ?? true).toBe(true);
});

test('gives up on a page that takes too long, and reads the next one', async () => {
  const read = createPageReader({ readMs: 1, readersMax: 1 });
  expect(await read('<p>text', 100)).toBeUndefined();
  expect(await createPageReader()('<p>text', 100)).toEqual({ title: '', text: 'text', isCut: false });
});

test('turns away pages beyond those that may wait', async () => {
  const read = createPageReader({ readersMax: 1, waitingMax: 1 });
  const pages = await Promise.all(['a', 'b', 'c'].map((text) => read(`<p>${text}`, 10)));
  expect(pages.map((page) => page?.text)).toEqual(['a', 'b', undefined]);
});
