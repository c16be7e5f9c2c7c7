import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Mutants } from './find-mutants.ts';
import { switchSource, type Numbered } from './switch-source.ts';

/** Writes the switched source of every file below a folder, and returns where each is. */
export const prepareSources = ({ texts, all }: Mutants, folder: string): Readonly<Record<string, string>> => {
  const places: Record<string, string> = {};
  const own = new Map<string, Numbered[]>();
  for (const each of all) own.set(each.mutant.file, [...(own.get(each.mutant.file) ?? []), each]);
  for (const [file, text] of texts) {
    const place = path.join(folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, `const $mutant = globalThis.$mutant;\n${switchSource(text, own.get(file) ?? [])}`);
    places[file] = place;
  }
  return places;
};
