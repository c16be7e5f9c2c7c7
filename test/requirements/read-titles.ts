/** What registers a test or a group of them, as it is called in this repository. */
const registrars = new Set(['test', 'it', 'describe', 'gatewayCase']);
/** Ways to register what does not run, or does not have to hold. */
const idle = new Set(['skip', 'todo', 'fails', 'skipIf', 'runIf']);
/** After these a slash begins a pattern; after a value it divides. */
const beforePattern = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|await|yield))$/;

const identifier = /[A-Za-z_$][\w$]*/y;
const space = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)+/y;
const quoted = /'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"/y;
const pattern = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

const matchAt = (expression: RegExp, text: string, at: number): string | null => {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? null;
};

/** The end of a template literal that begins at `at`, nested ones included. */
const endOfTemplate = (text: string, at: number): number => {
  let index = at + 1;
  while (index < text.length && text[index] !== '`') {
    if (text[index] === '\\') index += 2;
    else if (text.startsWith('${', index)) index = endOfGroup(text, index + 1);
    else index += 1;
  }
  return index + 1;
};

/** The end of a bracketed group that begins at `at`. */
const endOfGroup = (text: string, at: number): number => {
  let depth = 0;
  let index = at;
  do {
    const token = tokenAt(text, index);
    if ('([{'.includes(token)) depth += 1;
    if (')]}'.includes(token)) depth -= 1;
    index += token.length;
  } while (depth > 0 && index < text.length);
  return index;
};

/** The token at a place: white space with comments, a literal, an identifier, or one character. */
const tokenAt = (text: string, at: number): string => {
  const simple = matchAt(space, text, at) ?? matchAt(quoted, text, at) ?? matchAt(identifier, text, at);
  if (simple !== null) return simple;
  if (text[at] === '`') return text.slice(at, endOfTemplate(text, at));
  const before = text.slice(Math.max(0, at - 40), at).trimEnd();
  if (text[at] === '/' && beforePattern.test(before)) return matchAt(pattern, text, at) ?? '/';
  return text[at] ?? '';
};

const skipSpace = (text: string, at: number): number => at + (matchAt(space, text, at)?.length ?? 0);

/** The literal that a call at `at` has as its first argument, after any chain such as `.each([...])`; null where none. */
const titleAt = (text: string, at: number): string | null => {
  let index = skipSpace(text, at);
  while (text[index] === '.' || text[index] === '(') {
    if (text[index] === '.') {
      const word = matchAt(identifier, text, index + 1) ?? '';
      if (idle.has(word)) return null;
      index = skipSpace(text, index + 1 + word.length);
      continue;
    }
    const first = tokenAt(text, skipSpace(text, index + 1));
    if (/^['"`]/.test(first)) return first.slice(1, -1);
    index = skipSpace(text, endOfGroup(text, index));
  }
  return null;
};

/**
 * The titles of the tests that a source registers: literals that are the first argument of a call that registers one. What
 * stands in comments and in other literals is no title, and neither is that of a test which does not run.
 */
export const readTitles = (text: string): readonly string[] => {
  const titles: string[] = [];
  let index = 0;
  let before = '';
  while (index < text.length) {
    const token = tokenAt(text, index);
    const member = before === '.' && !/\brunner\.$/.test(text.slice(Math.max(0, index - 10), index));
    if (registrars.has(token) && !member) {
      const title = titleAt(text, index + token.length);
      if (title !== null) titles.push(title);
    }
    if (token.trim() !== '') before = token;
    index += Math.max(token.length, 1);
  }
  return titles;
};
