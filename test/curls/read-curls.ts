/** One command of a page, as a shell reads it. */
export interface CurlCall {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly data: string | null;
  readonly form: readonly (readonly [name: string, value: string])[];
  /** The file in which the response is kept. */
  readonly output: string | null;
}

/** The blocks of shell commands of a page. */
const shellBlocks = (page: string): readonly string[] =>
  [...page.matchAll(/^ *```(?:sh|bash)[^\n]*\n(.*?)^ *```/gmsu)].map(([, block = '']) =>
    // A quoted text of several lines is a part of its command.
    block.replaceAll(/^\s*#.*$/gmu, '').replaceAll(/'[^']*'/gu, (quoted) => quoted.replaceAll('\n', ' ')),
  );

/** Every command `curl` of a page, each on one line. A `curl` in another place of a block is refused, as it would not be run. */
export const curlsOf = (page: string): readonly string[] => {
  const blocks = shellBlocks(page).map((block) => block.replaceAll(/\\\n\s*/gu, ' '));
  const commands = blocks.flatMap((block) =>
    [...block.matchAll(/^\s*(curl .*)$/gmu)].map(([, command = '']) => command),
  );
  const named = blocks.join('\n').match(/(?<![\w./-])curl(?![\w./-])/gu) ?? [];
  if (named.length !== commands.length) throw new Error('a curl of the page does not begin its line');
  return commands;
};

type Lookup = (name: string) => string;

const pieces =
  /'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"|(?<end>[|;&<>])|(?<space>\s+)|(?<bare>(?:[^\s'"\\|;&<>]|\\.)+)/gu;

const replaced = (text: string, valueOf: Lookup): string =>
  text
    .replaceAll(/\$\(cat ([^)]+)\)/gu, (_, file: string) => valueOf(file))
    .replaceAll(/\$\{?(\w+)\}?/gu, (_, name: string) => valueOf(name))
    // Get started has the id of a request in capitals.
    .replaceAll('REQUEST_ID', () => valueOf('REQUEST_ID'));

/** The words of a command, up to where it hands its output on. */
const wordsOf = (command: string, valueOf: Lookup): readonly string[] => {
  const words: string[] = [];
  let word: string | null = null;
  for (const { groups = {} } of command.matchAll(pieces)) {
    const { single, double, bare } = groups;
    if (groups['end'] !== undefined) break;
    if (groups['space'] !== undefined) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      const text = double ?? bare ?? '';
      word = (word ?? '') + (single ?? replaced(text, valueOf).replaceAll(/\\(.)/gu, '$1'));
    }
  }
  return word === null ? words : [...words, word];
};

const switches = new Set(['-i', '-s', '-S', '-N', '-sS', '-f', '-fsS', '-sf', '-fs', '-sN', '-sSN', '--no-buffer']);
const longNames: Readonly<Record<string, string>> = {
  '--header': '-H',
  '--data': '-d',
  '--data-binary': '-d',
  '--form': '-F',
  '--request': '-X',
  '--output': '-o',
  '--cookie': '-b',
};

const pairOf = (text: string, mark: string): readonly [string, string] => {
  const at = text.indexOf(mark);
  return [text.slice(0, at), text.slice(at + mark.length).trim()];
};

/** Reads a command; an option that is not known is refused, as the test would send something else than curl does. */
export const readCurl = (command: string, valueOf: Lookup): CurlCall => {
  const [, ...words] = wordsOf(command, valueOf);
  const given = new Map<string, string[]>();
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place] ?? '';
    const option = longNames[word] ?? word;
    if (switches.has(option)) continue;
    const takesValue = /^-[HdFXob]$/u.test(option);
    if (option.startsWith('-') && !takesValue) throw new Error(`the option ${word} of curl is not known here`);
    if (takesValue) place += 1;
    const name = takesValue ? option : 'url';
    given.set(name, [...(given.get(name) ?? []), takesValue ? (words[place] ?? '') : word]);
  }
  const all = (name: string): readonly string[] => given.get(name) ?? [];
  const cookies = all('-b').map((cookie) => ['cookie', cookie] as const);
  const data = all('-d')[0] ?? null;
  const form = all('-F').map((field) => pairOf(field, '='));
  return {
    method: all('-X')[0] ?? (data === null && form.length === 0 ? 'GET' : 'POST'),
    url: all('url')[0] ?? '',
    headers: [...all('-H').map((header) => pairOf(header, ':')), ...cookies],
    data,
    form,
    output: all('-o')[0] ?? null,
  };
};
