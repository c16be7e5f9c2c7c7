// Reads exported interfaces and types from the sources of the packages, with what their docstrings say. The sources are formatted, and
// types are taken as they are written, so that no compiler is needed.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  /** As it is written, without `readonly`. */
  readonly text: string;
  readonly doc: string;
}

export interface Declaration {
  readonly name: string;
  readonly kind: 'interface' | 'type';
  readonly doc: string;
  /** What it extends, as it is written. */
  readonly heritage: string;
  /** The whole type of an alias. */
  readonly text: string;
  /** The members of an interface. */
  readonly members: readonly Member[];
  /** Whether programs can import it. */
  readonly isPublic: boolean;
}

const root = path.resolve(import.meta.dirname, '../../packages');

/** The text of a docstring, a paragraph a line apart. */
const docText = (comment: string): string =>
  comment
    .replaceAll(/^\s*\/\*\*|\*\/\s*$/gu, '')
    .replaceAll(/^\s*\* ?/gmu, '')
    .split(/\n\s*\n/u)
    .map((paragraph) => paragraph.replaceAll(/\s*\n\s*/gu, ' ').trim())
    .join('\n\n')
    .trim();

const opening = new Set('([{');
const closing = new Set(')]}');

/** Where the comment or the text that begins at a place ends; the place itself where none begins there. */
const afterAtom = (text: string, at: number): number => {
  const begin = text.slice(at, at + 2);
  if (begin === '/*') return text.indexOf('*/', at) + 2;
  if (begin === '//') return text.indexOf('\n', at);
  const quote = text[at] ?? '';
  return `'"\``.includes(quote) ? text.indexOf(quote, at + 1) + 1 : at;
};

/** Where the piece that begins at a place ends: at the next `end` that stands in no brackets, comment or text. */
const endOf = (text: string, from: number, end: string): number => {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const after = afterAtom(text, at);
    if (after > at) {
      at = after - 1;
      continue;
    }
    const sign = text[at] ?? '';
    if (depth === 0 && sign === end) return at;
    if (opening.has(sign)) depth += 1;
    if (closing.has(sign)) depth -= 1;
  }
  return text.length;
};

const plain = (text: string): string =>
  text
    .replaceAll(/\breadonly (?=\w+\??:)/gu, '')
    .replaceAll(/^\s*\/\/.*\n/gmu, '')
    .trim();

/** An optional member also takes undefined, which each of them would say: the pages show its type without it. */
const shownOptional = (text: string): string => {
  const shown = text.replace(/\s*\| undefined$/u, '');
  return shown === text ? text : shown.replace(/^(\w+\?: )\((.* => .*)\)$/su, '$1$2');
};

const memberOf = (piece: string): Member => {
  const comment = /^\s*(?:\/\/[^\n]*\n\s*)*(\/\*\*.*?\*\/)/su.exec(piece)?.[1] ?? '';
  const text = plain(piece.slice(piece.indexOf(comment) + comment.length));
  const [, name = '', mark] = /^(\w+)(\?)?/u.exec(text) ?? [];
  return {
    name,
    isOptional: mark !== undefined,
    text: shownOptional(text.replaceAll(/\n {2}/gu, '\n')),
    doc: docText(comment),
  };
};

const membersOf = (body: string): readonly Member[] => {
  const members: Member[] = [];
  for (let at = 0; at < body.length;) {
    const end = endOf(body, at, ';');
    const piece = body.slice(at, end);
    if (piece.trim() !== '') members.push(memberOf(piece));
    at = end + 1;
  }
  return members;
};

/** The values of a list that the same file has, in the place of a type that only names the list. */
const spelledOut = (text: string, source: string): string => {
  const list = /^\(typeof (\w+)\)\[number\]$/u.exec(text)?.[1];
  const body = new RegExp(`const ${list} = \\[([^\\]]*)\\] as const`, 'u').exec(source)?.[1];
  const values = body?.match(/'[^']*'/gu) ?? [];
  return values.length === 0 || body?.includes('...') === true ? text : values.join(' | ');
};

/** The declaration whose name a match of `heads` has found. */
const declarationAt = (source: string, match: RegExpExecArray): Omit<Declaration, 'isPublic'> => {
  const [whole, comment = '', kind, name = ''] = match;
  const from = match.index + whole.length;
  const doc = docText(comment);
  if (kind === 'type') {
    const begin = source.indexOf('=', from) + 1;
    const text = source.slice(begin, endOf(source, begin, ';')).trim();
    return { name, kind: 'type', doc, heritage: '', text: spelledOut(plain(text), source), members: [] };
  }
  const open = endOf(source, from, '{');
  const close = endOf(source, open + 1, '}');
  const heritage = /extends (.*)/su.exec(source.slice(from, open))?.[1]?.trim() ?? '';
  return { name, kind: 'interface', doc, heritage, text: '', members: membersOf(source.slice(open + 1, close)) };
};

const heads = /(\/\*\*(?:(?!\*\/).)*\*\/\n)?export (interface|type) (\w+)/gsu;

const known = new Map<string, readonly Declaration[]>();

/** The exported interfaces and types of one package, which are read once. */
const declarationsOf = (name: string): readonly Declaration[] => {
  const read = (file: string): readonly Declaration[] => {
    const source = readFileSync(path.join(root, name, file), 'utf8');
    return Array.from(source.matchAll(heads), (match) => ({
      ...declarationAt(source, match),
      isPublic: new RegExp(`\\b${match[3]}\\b`, 'u').test(entry),
    }));
  };
  const entry = readFileSync(path.join(root, name, 'src/index.ts'), 'utf8');
  const files = globSync('src/**/*.ts', { cwd: path.join(root, name), exclude: ['**/*.test.ts'] }).toSorted();
  const found = known.get(name) ?? files.flatMap(read);
  known.set(name, found);
  return found;
};

/**
 * Every exported interface and type of the packages by name. Of two with one name counts the one that programs can import, and of two
 * of these that of the package named later.
 */
export const readDeclarations = (packages: readonly string[]): ReadonlyMap<string, Declaration> =>
  new Map(
    packages
      .flatMap(declarationsOf)
      .toSorted((a, b) => Number(a.isPublic) - Number(b.isPublic))
      .map((declaration) => [declaration.name, declaration]),
  );
