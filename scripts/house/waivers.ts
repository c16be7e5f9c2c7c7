import {
  isAsExpression,
  isBinaryExpression,
  isConditionalExpression,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isSpreadAssignment,
  SyntaxKind,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { commentsOf } from './comments.ts';
import { countPlaces, lineAt, type Figure } from './figure.ts';
import { placesOf, walk, type Sources } from './parse-sources.ts';

const bare = (node: Node): Node => (isParenthesizedExpression(node) ? bare(node.expression) : node);
const isEmptyObject = (node: Node): boolean => {
  const inner = bare(node);
  return isObjectLiteralExpression(inner) && inner.properties.length === 0;
};

/** `...(a ? {} : b)`, `...(a ? b : {})`, `...(a && b)`, `...(a ?? {})` and `...(a || {})` in an object. */
const isConditionalSpread = (node: Node): boolean => {
  if (!isSpreadAssignment(node)) return false;
  const spread = bare(node.expression);
  if (isConditionalExpression(spread)) return isEmptyObject(spread.whenTrue) || isEmptyObject(spread.whenFalse);
  if (!isBinaryExpression(spread)) return false;
  const { kind } = spread.operatorToken;
  if (kind === SyntaxKind.AmpersandAmpersandToken) return true;
  const falls = kind === SyntaxKind.QuestionQuestionToken || kind === SyntaxKind.BarBarToken;
  return falls && isEmptyObject(spread.right);
};

export const countConditionalSpreads = (sources: Sources): Figure =>
  countPlaces(
    'conditional spreads',
    '< 60',
    placesOf(sources, (node, source) =>
      isConditionalSpread(node) ? node.getText(source).replaceAll(/\s+/gu, ' ').slice(0, 80) : null,
    ),
  );

const waived =
  /(?:oxlint|eslint)-disable(?:-next-line|-line)?\s[^\n]*no-unsafe-type-assertion|@ts-(?:expect-error|ignore)/u;

/** `as unknown as T`: a cast that the compiler cannot judge. */
const isDoubleCast = (node: Node): boolean => {
  if (!isAsExpression(node)) return false;
  const inner = bare(node.expression);
  return isAsExpression(inner) && inner.type.kind === SyntaxKind.UnknownKeyword;
};

const waiverLines = (source: SourceFile): readonly number[] =>
  commentsOf(source)
    .filter(({ text }) => waived.test(text))
    .map(({ position, text }) => lineAt(source.text, position + text.length));

const doubleCastLines = (source: SourceFile): readonly number[] => {
  const lines: number[] = [];
  walk(source, (node) => {
    if (isDoubleCast(node)) lines.push(lineAt(source.text, node.getStart(source)));
  });
  return lines;
};

/** Waivers of the rule against casts, and casts by way of `unknown`. A waiver that stands right above its cast counts once. */
export const countCastWaivers = (sources: Sources): Figure =>
  countPlaces(
    'cast waivers',
    '< 30',
    [...sources].flatMap(([path, source]) => {
      const waivers = waiverLines(source);
      const casts = doubleCastLines(source).filter((line) => !waivers.includes(line - 1) && !waivers.includes(line));
      return [
        ...waivers.map((line) => `${path}:${line} waived`),
        ...casts.map((line) => `${path}:${line} as unknown as`),
      ];
    }),
  );
