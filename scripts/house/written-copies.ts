import {
  isArrayLiteralExpression,
  isBinaryExpression,
  isCallExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isPropertyAccessExpression,
  isPropertySignatureDeclaration,
  isStringLiteral,
  isTypeAliasDeclaration,
  isTypeLiteralNode,
  SyntaxKind,
  type Node,
} from 'typescript/unstable/ast';
import { countPlaces, type Figure } from './figure.ts';
import { isFunction, nameOfFunction, walkOwn } from './functions.ts';
import { placesOf, type Sources } from './parse-sources.ts';

/** Reasons of `NotExecuted` after which another try can succeed. */
const transientReasons = ['rate_limited', 'unavailable'];

const isComparison = ({ kind }: Node): boolean =>
  kind === SyntaxKind.EqualsEqualsEqualsToken || kind === SyntaxKind.ExclamationEqualsEqualsToken;

const isChain = ({ kind }: Node): boolean =>
  kind === SyntaxKind.BarBarToken || kind === SyntaxKind.AmpersandAmpersandToken;

/** What one operator joins, from the left; a part in parentheses is one operand. */
const operandsOf = (node: Node, operator: SyntaxKind): readonly Node[] =>
  isBinaryExpression(node) && node.operatorToken.kind === operator
    ? [...operandsOf(node.left, operator), node.right]
    : [node];

/** Strings that the operands are compared with, or that a list holds. */
const stringsOf = (nodes: readonly Node[]): readonly string[] =>
  nodes
    .flatMap((node) =>
      isBinaryExpression(node) && isComparison(node.operatorToken) ? [node.left, node.right] : [node],
    )
    .flatMap((node) => (isStringLiteral(node) ? [node.text] : []));

const isTransient = (strings: readonly string[]): boolean =>
  strings.length === transientReasons.length && transientReasons.every((reason) => strings.includes(reason));

/** The whole of a chain of `||` or `&&`, or of a list, that names the transient reasons and no other. */
const isTransientTest = (node: Node): boolean => {
  if (isArrayLiteralExpression(node)) return isTransient(stringsOf(node.elements));
  if (!isBinaryExpression(node) || !isChain(node.operatorToken)) return false;
  const { kind } = node.operatorToken;
  const isInner = isBinaryExpression(node.parent) && node.parent.operatorToken.kind === kind;
  return !isInner && isTransient(stringsOf(operandsOf(node, kind)));
};

/** Expressions that ask whether a reason is one of the transient ones, whatever they are called. */
export const countTransientTests = (sources: Sources): Figure =>
  countPlaces(
    'copies: transient tests',
    '1',
    placesOf(sources, (node, source) =>
      isTransientTest(node) ? node.getText(source).replaceAll(/\s+/gu, ' ').slice(0, 100) : null,
    ),
  );

const calls = (node: Node, owner: string, method: string): boolean =>
  isCallExpression(node) &&
  isPropertyAccessExpression(node.expression) &&
  isIdentifier(node.expression.expression) &&
  node.expression.expression.text === owner &&
  node.expression.name.text === method;

/** A call to the engine's timer, `after`, by itself or as a member. */
const armsTimer = (node: Node): boolean => {
  if (!isCallExpression(node)) return false;
  const called = isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
  return isIdentifier(called) && called.text === 'after';
};

const deadlinesBy = (sources: Sources, isMet: (own: readonly Node[]) => boolean): readonly string[] =>
  placesOf(sources, (node, source) => {
    if (!isFunction(node)) return null;
    const own: Node[] = [];
    walkOwn(node, (below) => void own.push(below));
    return own.some(armsTimer) && isMet(own) ? nameOfFunction(node, source) : null;
  });

const races = (own: readonly Node[]): boolean => own.some((node) => calls(node, 'Promise', 'race'));
const joins = (own: readonly Node[]): boolean => own.some((node) => calls(node, 'AbortSignal', 'any'));

/** Functions that arm the engine's timer and race a promise with it. */
export const countDeadlines = (sources: Sources): Figure =>
  countPlaces('copies: deadlines', '1', deadlinesBy(sources, races));

/** Functions that arm the engine's timer and end a signal by it, without a race. */
export const countLateSignals = (sources: Sources): Figure =>
  countPlaces(
    'copies: deadlines by a signal alone',
    '0',
    deadlinesBy(sources, (own) => joins(own) && !races(own)),
  );

const membersOf = (node: Node): readonly string[] => {
  const list = isInterfaceDeclaration(node) ? node : null;
  const literal = isTypeAliasDeclaration(node) && isTypeLiteralNode(node.type) ? node.type : null;
  return ((list ?? literal)?.members ?? []).flatMap((member) =>
    isPropertySignatureDeclaration(member) && isIdentifier(member.name) ? [member.name.text] : [],
  );
};

/** Types that list both `provider` and `upstreamModel`. */
export const countModelRoutes = (sources: Sources): Figure =>
  countPlaces(
    'copies: model routes',
    '1',
    placesOf(sources, (node) => {
      const members = membersOf(node);
      if (!members.includes('provider') || !members.includes('upstreamModel')) return null;
      return isInterfaceDeclaration(node) || isTypeAliasDeclaration(node) ? node.name.text : null;
    }),
  );
