import {
  isArrowFunction,
  isConstructorDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isGetAccessorDeclaration,
  isMethodDeclaration,
  isPropertyAssignment,
  isSetAccessorDeclaration,
  isVariableDeclaration,
  type ArrowFunction,
  type ConstructorDeclaration,
  type FunctionDeclaration,
  type FunctionExpression,
  type GetAccessorDeclaration,
  type MethodDeclaration,
  type Node,
  type SetAccessorDeclaration,
  type SourceFile,
} from 'typescript/unstable/ast';

export type FunctionNode =
  | ArrowFunction
  | ConstructorDeclaration
  | FunctionDeclaration
  | FunctionExpression
  | GetAccessorDeclaration
  | MethodDeclaration
  | SetAccessorDeclaration;

/** Whether a node is a function that has a body or could have one. */
export const isFunction = (node: Node): node is FunctionNode =>
  isArrowFunction(node) ||
  isConstructorDeclaration(node) ||
  isFunctionDeclaration(node) ||
  isFunctionExpression(node) ||
  isGetAccessorDeclaration(node) ||
  isMethodDeclaration(node) ||
  isSetAccessorDeclaration(node);

/** Visits a function and what is below it, but not the functions inside. */
export const walkOwn = (node: Node, visit: (node: Node) => void): void => {
  node.forEachChild((child) => {
    visit(child);
    if (!isFunction(child)) walkOwn(child, visit);
  });
};

/** What a reader would call a function: its own name, or that of what holds it. */
export const nameOfFunction = (node: FunctionNode, source: SourceFile): string => {
  if (isConstructorDeclaration(node)) return 'constructor';
  if (!isArrowFunction(node) && node.name !== undefined) return node.name.getText(source);
  const { parent } = node;
  return isVariableDeclaration(parent) || isPropertyAssignment(parent) ? parent.name.getText(source) : 'a function';
};
