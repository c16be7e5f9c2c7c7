import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string): string => readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8');

/** Rows of the first table below a heading, each by its cells. */
const rowsBelow = (page: string, heading: string): readonly (readonly string[])[] => {
  const [, below = ''] = page.split(`${heading}\n`);
  const [table = ''] = /^(?:\|.*\n)+/mu.exec(below) ?? [];
  return table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
};

const rows = rowsBelow(read('docs/glossary.md'), '# Glossary');

test('the glossary stands in AGENTS.md as in the documentation', () => {
  expect(rowsBelow(read('AGENTS.md'), '## Glossary')).toEqual(rows);
});

test('the glossary has each word once, with one sentence and its name on the wire', () => {
  expect(rows.length).toBeGreaterThanOrEqual(30);
  expect(new Set(rows.map(([word]) => word)).size).toBe(rows.length);
  for (const [word = '', meaning = '', wire = ''] of rows) {
    expect(meaning, word).toMatch(/^[A-Z][^]*\.$/u);
    expect(meaning, word).not.toMatch(/\. /u);
    expect(wire, word).not.toBe('');
  }
});

test('the glossary is linked from the first page and from the sidebar', () => {
  expect(read('docs/index.md')).toContain('](./glossary.md)');
  expect(read('docs/.vitepress/config.ts')).toContain("link: '/glossary'");
});
