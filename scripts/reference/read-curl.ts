// Reads a command of curl as a shell and curl would, as far as the pages use them.

/** The words of a command; `$NAME` and `${NAME}` stand for values, outside of single quotes. */
const shellWords = (command: string, values: Readonly<Record<string, string>>): readonly string[] => {
  const filled = (text: string): string =>
    text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/gu, (_, braced: string | undefined, plain: string | undefined) => {
      const name = braced ?? plain ?? '';
      const value = values[name];
      if (value === undefined) throw new Error(`$${name} is not set in: ${command}`);
      return value;
    });
  const pieces = command
    .replaceAll(/\\\n/gu, ' ')
    .matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/gsu);
  const words: string[] = [];
  let word: string | null = null;
  for (const [, single, double, escaped, plain, space] of pieces) {
    if (space !== undefined) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    const text = single ?? escaped ?? filled((double ?? plain ?? '').replaceAll(/\\(["\\$`])/gu, '$1'));
    word = `${word ?? ''}${text}`;
  }
  return word === null ? words : [...words, word];
};

/** What a command asks for. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

const withoutValue = new Set(['-i', '-s', '-N', '-L']);

/** Reads one command. Throws an `Error` that names an option that it does not know. */
export const readCurl = (command: string, values: Readonly<Record<string, string>>): CurlRequest => {
  const [program, ...words] = shellWords(command, values);
  if (program !== 'curl') throw new Error(`not a command of curl: ${command}`);
  const found = { method: undefined as string | undefined, url: '', body: undefined as string | undefined };
  const headers: (readonly [string, string])[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (withoutValue.has(word)) continue;
    if (!word.startsWith('-')) {
      found.url = word;
      continue;
    }
    at += 1;
    const value = words[at] ?? '';
    if (word === '-X') found.method = value;
    else if (word === '-d') found.body = value;
    else if (word === '-H')
      headers.push([value.slice(0, value.indexOf(':')), value.slice(value.indexOf(':') + 1).trim()]);
    else if (word !== '-o') throw new Error(`unknown option ${word} in: ${command}`);
  }
  const { method = found.body === undefined ? 'GET' : 'POST', url, body } = found;
  return { method, url, headers, body };
};
