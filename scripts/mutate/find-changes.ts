import {
  isArrayLiteralExpression,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isDeleteExpression,
  isDoStatement,
  isExpressionStatement,
  isForStatement,
  isIfStatement,
  isNewExpression,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isStringLiteral,
  isThrowStatement,
  isTypeNode,
  isWhileStatement,
  SyntaxKind,
  type ExpressionStatement,
  type IfStatement,
  type Node,
  type ObjectLiteralExpression,
  type SourceFile,
  type Statement,
} from 'typescript/unstable/ast';
import { lineAt } from '../house/figure.ts';
import { isFunction, nameOfFunction } from '../house/functions.ts';
import { conditionChanges, expressionChanges, loopChanges } from './expression-changes.ts';
import type { Change, SourceMutant } from './source-mutant.ts';

const leftOut = (node: Node, source: SourceFile, form: 'statement' | 'element' | 'member'): Change => ({
  operator: form,
  form,
  start: node.getStart(source),
  end: node.end,
  text: '',
});

/** A line of a log, which no client and no storage sees. */
const isLogged = (statement: ExpressionStatement, source: SourceFile): boolean =>
  /^(?:\w+\.)*(?:logger|log)(?:\?\.|\.)/.test(statement.expression.getText(source));

const isSuper = ({ expression }: ExpressionStatement): boolean =>
  isCallExpression(expression) && expression.expression.kind === SyntaxKind.SuperKeyword;

const statementChanges = (statement: ExpressionStatement, source: SourceFile): readonly Change[] =>
  isStringLiteral(statement.expression) || isLogged(statement, source) || isSuper(statement)
    ? []
    : [leftOut(statement, source, 'statement')];

/** A member that stands after a spread replaces what the spread has: without it, the object still has its type. */
const memberChanges = (object: ObjectLiteralExpression, source: SourceFile): readonly Change[] => {
  const first = object.properties.findIndex(isSpreadAssignment);
  if (first === -1) return [];
  return object.properties
    .slice(first + 1)
    .filter((member) => isPropertyAssignment(member) || isShorthandPropertyAssignment(member))
    .map((member) => leftOut(member, source, 'member'));
};

const onlyStatement = (statement: Statement): Statement | undefined =>
  isBlock(statement) ? (statement.statements.length === 1 ? statement.statements[0] : undefined) : statement;

/** A guard that throws a plain `Error` is against a defect, which no caller can cause; adapters refuse with it. */
const isDefectGuard = ({ thenStatement }: IfStatement, source: SourceFile): boolean => {
  const only = onlyStatement(thenStatement);
  return (
    !source.fileName.includes('/storage') &&
    only !== undefined &&
    isThrowStatement(only) &&
    isNewExpression(only.expression) &&
    only.expression.expression.getText(source) === 'Error'
  );
};

/** Whether an expression ends where a chain of `?.` goes on, so that it cannot be put in brackets of its own. */
const isInChain = (node: Node, source: SourceFile): boolean => {
  const { parent } = node;
  const goesOn = (isPropertyAccessExpression(parent) || isCallExpression(parent)) && parent.expression === node;
  return goesOn && node.getText(source).includes('?.');
};

/** Whether a value cannot stand in its place, since the place is written to. */
const isWritten = (node: Node): boolean => {
  const { parent } = node;
  return isDeleteExpression(parent) || (isBinaryExpression(parent) && parent.left === node && isAssignment(parent));
};
const isAssignment = ({ operatorToken }: { readonly operatorToken: Node }): boolean =>
  operatorToken.kind >= SyntaxKind.FirstAssignment && operatorToken.kind <= SyntaxKind.LastAssignment;

const changesOf = (node: Node, source: SourceFile): readonly Change[] => {
  if (isExpressionStatement(node)) return statementChanges(node, source);
  if (isIfStatement(node))
    return isDefectGuard(node, source) ? [] : conditionChanges(node.expression, source, ['true', 'false']);
  if (isConditionalExpression(node)) return conditionChanges(node.condition, source, ['true', 'false']);
  if (isWhileStatement(node) || isDoStatement(node)) return loopChanges(node.expression, source);
  if (isForStatement(node) && node.condition !== undefined) return loopChanges(node.condition, source);
  if (isObjectLiteralExpression(node)) return memberChanges(node, source);
  if (isWritten(node)) return [];
  if (isArrayLiteralExpression(node)) return node.elements.map((element) => leftOut(element, source, 'element'));
  return isInChain(node, source) ? [] : expressionChanges(node, source);
};

/** Beyond these, the middle of a text is left out of the words for a change. */
const wordsMax = 160;
const inOneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= wordsMax ? line : `${line.slice(0, wordsMax / 2)} … ${line.slice(-wordsMax / 2)}`;
};

const wordsOf = ({ start, end, text }: Change, source: SourceFile): string =>
  `${inOneLine(source.text.slice(start, end))} → ${text === '' ? 'nothing' : inOneLine(text)}`;

/** The function in which the children of a node are: the nearest that has a name. */
const functionAround = (node: Node, source: SourceFile, within: string | null): string | null => {
  if (!isFunction(node)) return within;
  const name = nameOfFunction(node, source);
  return name === 'a function' ? (within ?? name) : name;
};

/** Every mutant of a source: changes of what runs in its functions. What runs as the module loads is left out. */
export const findMutants = (file: string, source: SourceFile): readonly SourceMutant[] => {
  const mutants: SourceMutant[] = [];
  const times = new Map<string, number>();
  const add = (change: Change, within: string): void => {
    const words = wordsOf(change, source);
    const key = `${within} ${words}`;
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    const line = lineAt(source.text, change.start);
    const said = before === 0 ? words : `${words} (${before + 1})`;
    mutants.push({ ...change, file, line, within, change: said });
  };
  const visit = (node: Node, within: string | null): void => {
    if (isTypeNode(node)) return;
    if (within !== null) for (const change of changesOf(node, source)) add(change, within);
    const inside = functionAround(node, source, within);
    node.forEachChild((child) => visit(child, inside));
  };
  visit(source, null);
  return mutants;
};
