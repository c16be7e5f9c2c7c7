import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readTitles } from './requirements/read-titles.ts';

const root = path.resolve(import.meta.dirname, '..');
const page = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
const threats = page.split('## Threats')[1]?.split('\n## ')[0] ?? '';

/** A title as the page gives it: without the ids of requirements. */
const plain = (title: string): string => title.replaceAll(/ \[[^\]]+\]/gu, '');

const titlesOf = (file: string): readonly string[] =>
  existsSync(path.join(root, file)) ? readTitles(readFileSync(path.join(root, file), 'utf8')).map(plain) : [];

test('every threat of the threat model names tests, and each of them exists', () => {
  const sections = threats.split('\n### ').slice(1);
  expect(sections.length).toBeGreaterThan(8);
  for (const section of sections) {
    const named = [...section.matchAll(/^- `([^`]+)`: (.+)$/gmu)];
    expect(named.length, section.split('\n')[0]).toBeGreaterThan(1);
    for (const [, file = '', title = ''] of named) expect(titlesOf(file), file).toContain(title);
  }
});
