import path from 'node:path';
import { isExportDeclaration, isImportDeclaration, isStringLiteral, type SourceFile } from 'typescript/unstable/ast';
import type { Figure } from './figure.ts';
import type { Sources } from './parse-sources.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Every module that a file imports or exports from, types included. */
const specifiersOf = (source: SourceFile): readonly string[] =>
  source.statements.flatMap((statement) => {
    if (!isImportDeclaration(statement) && !isExportDeclaration(statement)) return [];
    const named = statement.moduleSpecifier;
    return named !== undefined && isStringLiteral(named) ? [named.text] : [];
  });

/** The file that a specifier leads to: a relative one as written, a package by its entry of the same name. */
const targetOf = (from: string, specifier: string): string => {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  const [, directory, entry = 'index'] = /^@tollgate\/([^/]+)(?:\/(.+))?$/u.exec(specifier) ?? [];
  return directory === undefined ? specifier : `packages/${directory}/src/${entry}.ts`;
};

const graphOf = (sources: Sources): Graph =>
  new Map(
    [...sources].map(([from, source]) => [
      from,
      specifiersOf(source)
        .map((specifier) => targetOf(from, specifier))
        .filter((target) => sources.has(target)),
    ]),
  );

/** Every file that can be reached from one, over any number of imports. */
const reachedFrom = (graph: Graph, start: string): ReadonlySet<string> => {
  const reached = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return reached;
};

/** Files that import each other, directly or not: the strongly connected components of two files or more. */
export const importCircles = (sources: Sources): readonly (readonly string[])[] => {
  const graph = graphOf(sources);
  const reached = new Map([...graph.keys()].map((file) => [file, reachedFrom(graph, file)]));
  const placed = new Set<string>();
  const circles: (readonly string[])[] = [];
  for (const [file, own] of reached) {
    if (placed.has(file) || !own.has(file)) continue;
    const circle = [...own].filter((other) => reached.get(other)?.has(file)).toSorted();
    for (const member of circle) placed.add(member);
    circles.push(circle);
  }
  return circles;
};

export const countImportCircles = (sources: Sources): Figure => {
  const circles = importCircles(sources);
  const places = circles.map((circle) => `${circle.length} files: ${circle.join(' ↔ ')}`);
  return { id: 'import circles', value: circles.length, goal: '0', places };
};
