// The code that a page includes, with the imports that it needs. A page shows a region of a file, and the imports stand above it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** A name that a file imports. */
interface ImportedName {
  /** As it is used below: `sign`, or `z` of `* as z`. */
  readonly name: string;
  /** As the import has it: `sign`, `type Gateway`, `* as z`. */
  readonly text: string;
  readonly kind: 'named' | 'default' | 'namespace';
  readonly from: string;
}

const statement =
  /^import (type )?((?:[\w$]+, )?(?:\{[^}]*\}|\* as [\w$]+|[\w$]+)) from '([^']+)'(?: with \{[^}]*\})?;$/gmu;

const namedIn = (clause: string, type: string | undefined, from: string): readonly ImportedName[] =>
  clause
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({
      name:
        part
          .replace(/^type /u, '')
          .split(' as ')
          .at(-1) ?? part,
      text: type === undefined || part.startsWith('type ') ? part : `type ${part}`,
      kind: 'named',
      from,
    }));

/** The names that code imports. */
export const importsOf = (code: string): readonly ImportedName[] =>
  [...code.matchAll(statement)].flatMap(([, type, clause = '', from = '']): readonly ImportedName[] => {
    const [, first, braces] = /^(?:([^{]*?),? ?)?(?:\{([^}]*)\})?$/u.exec(clause) ?? [];
    const whole: readonly ImportedName[] =
      first === undefined || first === ''
        ? []
        : first.startsWith('* as ')
          ? [{ name: first.slice(5), text: first, kind: 'namespace', from }]
          : [{ name: first, text: type === undefined ? first : `type ${first}`, kind: 'default', from }];
    return [...whole, ...namedIn(braces ?? '', type, from)];
  });

/** Code without its comments, texts and imports: what is left uses names. */
const usesIn = (code: string): string =>
  code
    .replaceAll(statement, '')
    .replaceAll(/\/\*.*?\*\//gsu, '')
    .replaceAll(/(?<![:'"`\w])\/\/.*$/gmu, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/gu, "''");

/** Whether code uses a name, other than as a member or as the name of one. */
export const isUsed = (code: string, name: string): boolean =>
  new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name.replaceAll('$', '\\$')}(?![\\w$]|\\??: )`, 'u').test(usesIn(code));

const printed = (names: readonly ImportedName[], from: string): string => {
  const whole = names.filter(({ kind }) => kind !== 'named').map(({ text }) => text);
  const named = names.filter(({ kind }) => kind === 'named').map(({ text }) => text);
  const areTypes = named.length > 0 && named.every((text) => text.startsWith('type '));
  const onlyTypes = areTypes && whole.length === 0;
  const members = onlyTypes ? named.map((text) => text.slice(5)) : named;
  const clause = [...whole, ...(members.length === 0 ? [] : [`{ ${members.join(', ')} }`])].join(', ');
  const line = `import ${onlyTypes ? 'type ' : ''}${clause} from '${from}';`;
  return line.length <= 100 ? line : line.replace('{ ', '{\n  ').replace(' }', ',\n}').replaceAll(', ', ',\n  ');
};

/** The part of a file between the marks of a region, without the marks of others. */
const regionOf = (source: string, region: string): string =>
  (source.split(`// #region ${region}\n`)[1]?.split(new RegExp(`^ *// #endregion ${region}$`, 'mu'))[0] ?? '')
    .replaceAll(/^ *\/\/ #(?:end)?region .*\n/gmu, '')
    .trimEnd();

const keyOf = ({ from, name }: ImportedName): string => `${from} ${name}`;

/** The types of a line that a file declares, such as `type Admin = Gateway['admin']`. */
const aliasesOf = (code: string): readonly { readonly name: string; readonly text: string }[] =>
  [...code.matchAll(/^(?:export )?type ([\w$]+) = .*;$/gmu)].map(([text, name = '']) => ({ name, text }));

/**
 * The code of a file, or of one region of it, below what it uses of the rest of the file and the page has not shown yet: imports of
 * packages, and types of a line. `shown` holds what the page has shown, and gets what this code adds.
 */
export const shownCode = (file: string, region: string | undefined, shown: Set<string>): string => {
  const source = readFileSync(file, 'utf8').trimEnd();
  const code = region === undefined || region === '' ? source : regionOf(source, region);
  for (const name of importsOf(code)) shown.add(keyOf(name));
  for (const { text } of aliasesOf(code)) shown.add(text);
  const aliases = aliasesOf(source).filter(({ name, text }) => !shown.has(text) && isUsed(code, name));
  const types = aliases.map(({ text }) => text);
  // A file beside it is shown on its own where it matters.
  const missing = importsOf(source).filter(
    (imported) =>
      !imported.from.startsWith('.') &&
      !shown.has(keyOf(imported)) &&
      isUsed([...types, code].join('\n'), imported.name),
  );
  for (const key of [...types, ...missing.map(keyOf)]) shown.add(key);
  const lines = [...Map.groupBy(missing, ({ from }) => from)].map(([from, names]) => printed(names, from));
  return [lines.join('\n'), types.join('\n'), code].filter((part) => part !== '').join('\n\n');
};

export const isTypeScript = (file: string): boolean => ['.ts', '.tsx'].includes(path.extname(file));

/** What VitePress notes of a block: the file that it includes, and the region of it. */
const includedBy = (token: object): readonly string[] =>
  'src' in token && Array.isArray(token.src) ? token.src.map(String) : [];

/** Makes the site show what {@link shownCode} returns, in the place of the bare region. */
export const showImports = (md: MarkdownRenderer): void => {
  const codes = new WeakMap<object, string>();
  md.core.ruler.push('imports', ({ tokens }) => {
    const shown = new Set<string>();
    for (const token of tokens) {
      const [file, region] = includedBy(token);
      if (file !== undefined && isTypeScript(file)) codes.set(token, shownCode(file, region, shown));
    }
  });
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    const code = token === undefined ? undefined : codes.get(token);
    if (token !== undefined && code !== undefined) Object.assign(token, { content: `${code}\n`, src: undefined });
    return fence?.(tokens, index, ...rest) ?? '';
  };
};
