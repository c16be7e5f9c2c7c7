import type { Node, SourceFile } from 'typescript/unstable/ast';
import { countPlaces, lineAt, type Figure } from './figure.ts';
import { isFunction, nameOfFunction } from './functions.ts';
import { placesOf, type Sources } from './parse-sources.ts';

const fileLinesMax = 250;
const parametersMax = 4;

const linesOf = (node: Node, source: SourceFile): number =>
  lineAt(source.text, node.end) - lineAt(source.text, node.getStart(source)) + 1;

const countLongFunctions = (sources: Sources, linesMax: number): Figure =>
  countPlaces(
    `functions over ${linesMax} lines`,
    '',
    placesOf(sources, (node, source) => {
      if (!isFunction(node)) return null;
      const lines = linesOf(node, source);
      return lines > linesMax ? `${nameOfFunction(node, source)}, ${lines} lines` : null;
    }),
  );

/** Lines of files and functions are counted as they stand, comments and blank ones too. */
export const countSizes = (sources: Sources): readonly Figure[] => [
  countPlaces(
    `files over ${fileLinesMax} lines`,
    '',
    [...sources].flatMap(([path, { text }]) => {
      const lines = text.replace(/\n$/u, '').split('\n').length;
      return lines > fileLinesMax ? [`${path}, ${lines} lines`] : [];
    }),
  ),
  countLongFunctions(sources, 40),
  countLongFunctions(sources, 70),
  countPlaces(
    `functions with more than ${parametersMax} parameters`,
    '0',
    placesOf(sources, (node, source) =>
      isFunction(node) && node.parameters.length > parametersMax ? nameOfFunction(node, source) : null,
    ),
  ),
];
