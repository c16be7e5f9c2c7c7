import {
  isJsxText,
  isNoSubstitutionTemplateLiteral,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTemplateHead,
  isTemplateMiddle,
  isTemplateTail,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { walk } from './parse-sources.ts';

/** A stretch of prose in a file. Marks of comments are blanks in its text, so that every position still holds. */
export interface Passage {
  readonly position: number;
  readonly text: string;
}

const literals = [
  isJsxText,
  isNoSubstitutionTemplateLiteral,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTemplateHead,
  isTemplateMiddle,
  isTemplateTail,
];

const isLiteral = (node: Node): boolean => literals.some((test) => test(node));

/** Where each literal begins and ends: what looks like a comment in there is none. */
const literalRanges = (source: SourceFile): ReadonlyMap<number, number> => {
  const ranges = new Map<number, number>();
  walk(source, (node) => {
    if (isLiteral(node)) ranges.set(node.getStart(source), node.end);
  });
  return ranges;
};

/** The end of the comment that begins here; undefined where none begins. */
const endOfComment = (text: string, at: number): number | undefined => {
  const mark = text.slice(at, at + 2);
  if (mark !== '//' && mark !== '/*') return undefined;
  const end = mark === '//' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2) + 2;
  return end < at + 2 ? text.length : end;
};

const blank = (marks: string): string => ' '.repeat(marks.length);
const withoutMarks = (comment: string): string => comment.replaceAll(/^\/\*+|^\/\/+|\*+\/$|^[ \t]*\*/gmu, blank);

/** Comments of a source, in their order; lines of `//` that follow each other are one. */
export const commentsOf = (source: SourceFile): readonly Passage[] => {
  const { text } = source;
  const literal = literalRanges(source);
  const passages: { position: number; text: string; end: number; isLine: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const afterLiteral = literal.get(at);
    const end = afterLiteral ?? endOfComment(text, at);
    if (end === undefined) continue;
    if (afterLiteral === undefined) {
      const isLine = text[at + 1] === '/';
      const last = passages.at(-1);
      const between = last === undefined ? '' : text.slice(last.end, at);
      const words = withoutMarks(text.slice(at, end));
      if (last?.isLine === true && isLine && /^\n[ \t]*$/u.test(between)) {
        last.text += between + words;
        last.end = end;
      } else passages.push({ position: at, text: words, end, isLine });
    }
    at = end - 1;
  }
  return passages;
};
