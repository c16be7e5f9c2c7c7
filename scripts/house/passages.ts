import {
  isCallExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isStringLiteral,
  isTemplateHead,
  isTemplateMiddle,
  isTemplateTail,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { commentsOf, type Passage } from './comments.ts';
import { walk } from './parse-sources.ts';

const stringKinds = [
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  isTemplateHead,
  isTemplateMiddle,
  isTemplateTail,
];

const isText = (node: Node): boolean => stringKinds.some((test) => test(node));

/** `test`, `describe`, `gatewayCase` and their members, as in `test.each(…)(…)`. */
const registrar = /^(?:test|it|describe|[a-z]\w*Case)$/u;

const isRegistrar = (called: Node): boolean => {
  if (isIdentifier(called)) return registrar.test(called.text);
  return (isPropertyAccessExpression(called) || isCallExpression(called)) && isRegistrar(called.expression);
};

const isTitle = ({ parent }: Node): boolean => isCallExpression(parent) && isRegistrar(parent.expression);

/** More than a word: what is shown to a reader, and no name, path or code. */
const isProse = (text: string): boolean => /\p{L}\s+\p{L}/u.test(text);

/** Strings that a person reads: of a test its titles, of any other source each text of two words or more. */
const stringsOf = (source: SourceFile, isTest: boolean): readonly Passage[] => {
  const passages: Passage[] = [];
  walk(source, (node) => {
    if (!isText(node) || (isTest && !isTitle(node))) return;
    const text = node.getText(source);
    if (isProse(text)) passages.push({ position: node.getStart(source), text });
  });
  return passages;
};

/** Comments, titles of tests and messages of a source. */
export const sourceProse = (source: SourceFile, isTest: boolean): readonly Passage[] => [
  ...commentsOf(source),
  ...stringsOf(source, isTest),
];

/** Identifiers, with a blank before each capital letter: `doubtOperation` reads as `doubt Operation`. */
export const sourceNames = (source: SourceFile): readonly Passage[] => {
  const names: Passage[] = [];
  walk(source, (node) => {
    if (isIdentifier(node)) names.push({ position: node.getStart(source), text: node.text });
  });
  return names;
};

const blank = (text: string): string => text.replaceAll(/[^\n]/gu, ' ');

/** The prose of a Markdown page: blocks of code, code in a line and addresses of links are blanks. */
export const pageProse = (text: string): readonly Passage[] => [
  {
    position: 0,
    text: text
      .replaceAll(/^(?<fence>```+|~~~+)[^\n]*\n[\s\S]*?^\k<fence>[ \t]*$/gmu, blank)
      .replaceAll(/`+[^`\n]+`+/gu, blank)
      .replaceAll(/\]\([^)\n]*\)/gu, blank)
      .replaceAll(/<[^>\n]+>/gu, blank),
  },
];
