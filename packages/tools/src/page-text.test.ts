import { expect, test } from 'vitest';
import { createPageReader } from './page-text.ts';

const caller = { projectId: 'project' };

/** For pages that are read in any case. */
const patienceMs = 600_000;

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
])('reads a hostile page or gives up on it: %s', async (_, html) => {
  const page = await createPageReader({ readMs: 1_000 })(html, 1_000, caller);
  expect(page?.text.length ?? 0).toBeLessThanOrEqual(1_000);
  expect(page?.text.isWellFormed() ?? true).toBe(true);
});

test('gives up on a page that takes too long, and reads the next one', async () => {
  const read = createPageReader({ readMs: 1, readersMax: 1 });
  expect(await read('<p>text', 100, caller)).toBeUndefined();
  expect(await createPageReader({ readMs: patienceMs })('<p>text', 100, caller)).toEqual({
    title: '',
    text: 'text',
    isCut: false,
  });
});

test('rejects pages beyond those that may wait', async () => {
  const read = createPageReader({ readMs: patienceMs, readersMax: 1, waitingMax: 1 });
  const pages = await Promise.all(['a', 'b', 'c'].map((text) => read(`<p>${text}`, 10, caller)));
  expect(pages.map((page) => page?.text)).toEqual(['a', 'b', undefined]);
});
