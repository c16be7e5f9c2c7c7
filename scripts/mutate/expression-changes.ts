import {
  isBigIntLiteral,
  isBinaryExpression,
  isCallExpression,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTemplateLiteral,
  SyntaxKind,
  type BinaryExpression,
  type CallExpression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import type { Change } from './source-mutant.ts';

/** Operators that stand for another; the first of a comparison moves its bound, the second turns it round. */
const others: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    '<': ['<=', '>='],
    '<=': ['<', '>'],
    '>': ['>=', '<='],
    '>=': ['>', '<'],
    '===': ['!=='],
    '!==': ['==='],
    '+': ['-'],
    '-': ['+'],
    '*': ['/'],
    '/': ['*'],
    '%': ['*'],
    '&&': ['||'],
    '||': ['&&'],
    '+=': ['-='],
    '-=': ['+='],
  }),
);

/** Functions of `Math` that stand for another. */
const otherMath: ReadonlyMap<string, string> = new Map(
  Object.entries({ min: 'max', max: 'min', ceil: 'floor', floor: 'ceil' }),
);
/** Methods that stand for another. */
const otherMethod: ReadonlyMap<string, string> = new Map(
  Object.entries({ some: 'every', every: 'some', startsWith: 'endsWith', endsWith: 'startsWith' }),
);
/** Methods whose receiver is of the same type as their result: without the call the types still fit. */
const passing = new Set(['filter', 'slice', 'toSorted', 'toReversed', 'sort', 'reverse', 'trim', 'toLowerCase']);

const changed = (node: Node, source: SourceFile, operator: string, text: string): Change => ({
  operator,
  form: 'expression',
  start: node.getStart(source),
  end: node.end,
  text,
});

const isText = (node: Node): boolean =>
  isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isTemplateLiteral(node);

/** Whether a sum puts texts together. */
const joinsTexts = (node: Node): boolean =>
  isText(node) || (isBinaryExpression(node) && (joinsTexts(node.left) || joinsTexts(node.right)));

const binaryChanges = (node: BinaryExpression, source: SourceFile): readonly Change[] => {
  const sign = node.operatorToken.getText(source);
  const left = node.left.getText(source);
  const right = node.right.getText(source);
  if (sign === '??') return [changed(node, source, 'default', right)];
  if ((sign === '+' || sign === '+=') && (joinsTexts(node) || isText(node.right))) return [];
  const swapped = (others.get(sign) ?? []).map((other) =>
    changed(node, source, 'operator', `${left} ${other} ${right}`),
  );
  if (sign !== '&&' && sign !== '||') return swapped;
  return [...swapped, changed(node, source, 'half', left), changed(node, source, 'half', right)];
};

const callChanges = (node: CallExpression, source: SourceFile): readonly Change[] => {
  const { expression } = node;
  if (!isPropertyAccessExpression(expression) || expression.questionDotToken !== undefined) return [];
  const receiver = expression.expression.getText(source);
  const name = expression.name.getText(source);
  const given = source.text.slice(expression.end, node.end);
  const as = (other: string): Change => changed(node, source, 'method', `${receiver}.${other}${given}`);
  const math = otherMath.get(name);
  if (receiver === 'Math') return math === undefined ? [] : [as(math)];
  const method = otherMethod.get(name);
  if (method !== undefined) return [as(method)];
  return passing.has(name) ? [changed(node, source, 'call', receiver)] : [];
};

const literalChanges = (node: Node, source: SourceFile): readonly Change[] => {
  if (isPropertyAssignment(node.parent) && node.parent.name === node) return [];
  if (isNumericLiteral(node)) return [changed(node, source, 'number', `(${node.getText(source)} + 1)`)];
  if (isBigIntLiteral(node)) return [changed(node, source, 'number', `(${node.getText(source)} + 1n)`)];
  if (node.kind === SyntaxKind.TrueKeyword) return [changed(node, source, 'boolean', 'false')];
  if (node.kind === SyntaxKind.FalseKeyword) return [changed(node, source, 'boolean', 'true')];
  return [];
};

/** What can be wrong with an expression by itself. */
export const expressionChanges = (node: Node, source: SourceFile): readonly Change[] => {
  if (isBinaryExpression(node)) return binaryChanges(node, source);
  if (isCallExpression(node)) return callChanges(node, source);
  if (isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
    return [changed(node, source, 'negation', node.operand.getText(source))];
  return literalChanges(node, source);
};

/** A condition that always holds, or never. */
export const conditionChanges = (
  node: Node,
  source: SourceFile,
  values: readonly ('true' | 'false')[],
): readonly Change[] => values.map((value) => changed(node, source, 'condition', value));

/** A loop that ends before its first turn. */
export const loopChanges = (node: Node, source: SourceFile): readonly Change[] => [
  changed(node, source, 'loop', 'false'),
];
