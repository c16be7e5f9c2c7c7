import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { percentOf, Score } from '../../scripts/mutate/score.ts';
import { keyOf } from '../../scripts/mutate/source-mutant.ts';
import { targets } from '../../scripts/mutate/targets.ts';
import { equivalents } from './equivalents.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const score = Score.parse(JSON.parse(readFileSync(`${root}test/mutants/score.json`, 'utf8')));

/** The texts that a change says were there: one, or the two ends of a long one. */
const originalOf = (change: string): readonly string[] => (change.split(' → ')[0] ?? '').split(' … ');
const textOf = (file: string): string => readFileSync(`${root}${file}`, 'utf8').replaceAll(/\s+/g, ' ');

test('the score is that of its folders, and names each mutant that survived', () => {
  const rows = Object.values(score.folders);
  for (const figure of ['tried', 'killed', 'equivalent', 'survived'] as const)
    expect(rows.reduce((sum, row) => sum + row[figure], 0)).toBe(score[figure]);
  expect(score.tried).toBe(score.killed + score.equivalent + score.survived);
  expect(score.score).toBe(percentOf(score));
  expect(score.survivors.length).toBe(score.survived);
  expect(Object.keys(score.folders).filter((folder) => !targets.includes(folder))).toEqual([]);
});

test('a mutant that is no fault is listed once with its reason, and its source still holds what it changes', () => {
  expect(new Set(equivalents.map(keyOf)).size).toBe(equivalents.length);
  for (const equivalent of equivalents) {
    const text = textOf(equivalent.file);
    expect(equivalent.reason.length, keyOf(equivalent)).toBeGreaterThan(20);
    for (const part of originalOf(equivalent.change)) expect(text, keyOf(equivalent)).toContain(part.trim());
  }
});
