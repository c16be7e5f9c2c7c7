import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Passage } from './comments.ts';
import { countPlaces, lineAt, type Figure, type Texts } from './figure.ts';
import type { Sources } from './parse-sources.ts';
import { pageProse, sourceNames, sourceProse } from './passages.ts';

const Word = z.strictObject({
  word: z.string(),
  pattern: z.string(),
  /** The field's word for it. */
  use: z.string(),
  /** `prose`: comments, titles of tests, messages, pages. `names`: identifiers and files, their words apart, as in `notify After`. */
  in: z.array(z.enum(['prose', 'names'])).min(1),
  goal: z.string().default('0'),
});
export type Word = z.output<typeof Word>;

type Where = Word['in'][number];
type Written = Passage & { readonly path: string; readonly whole: string };

export const readWords = (): readonly Word[] =>
  z.array(Word).parse(JSON.parse(readFileSync(new URL('words.json', import.meta.url), 'utf8')));

const isTest = (file: string): boolean =>
  /\.test(?:-d)?\.ts$/u.test(file) || /^(?:test|proof\/(?:model|simulation))\//u.test(file);

/** The words of a name apart: `doubtOperation` and `doubt-operation` are both `doubt operation`. */
const wordsOf = (name: string): string =>
  name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[-_.]/gu, ' ').toLowerCase();

/** Everything that is written in sources and pages, by where it stands; a name counts once, where it is met first. */
const readWritten = (sources: Sources, pages: Texts): Readonly<Record<Where, readonly Written[]>> => {
  const prose: Written[] = [];
  const names = new Map<string, Written>();
  const meet = (passage: Written): void => {
    const text = wordsOf(passage.text);
    if (!names.has(text)) names.set(text, { ...passage, text });
  };
  for (const [file, source] of sources) {
    const of = { path: file, whole: source.text };
    for (const passage of sourceProse(source, isTest(file))) prose.push({ ...passage, ...of });
    meet({ position: 0, text: path.posix.basename(file, '.ts'), ...of });
    for (const passage of sourceNames(source)) meet({ ...passage, ...of });
  }
  for (const [file, text] of pages)
    for (const passage of pageProse(text)) prose.push({ ...passage, path: file, whole: text });
  return { prose, names: [...names.values()] };
};

/** A blank of a pattern also matches the end of a line, after which a comment goes on. */
const patternOf = ({ pattern }: Word): RegExp => new RegExp(pattern.replaceAll(/(?<!\[-?) /gu, '\\s+'), 'giu');

/** How often each word is written that has another one in the house. */
export const countWords = (sources: Sources, pages: Texts, words: readonly Word[]): readonly Figure[] => {
  const written = readWritten(sources, pages);
  return words.map((word) => {
    const pattern = patternOf(word);
    const places = word.in.flatMap((where) =>
      written[where].flatMap(({ path: file, position, text, whole }) =>
        Array.from(text.matchAll(pattern), ({ 0: found, index }) => {
          const line = lineAt(whole, position + (where === 'names' ? 0 : index + found.search(/\S/u)));
          return `${file}:${line} ${where === 'names' ? `the name ${text}` : found.trim()} → ${word.use}`;
        }),
      ),
    );
    return countPlaces(`word: ${word.word}`, word.goal, places);
  });
};
