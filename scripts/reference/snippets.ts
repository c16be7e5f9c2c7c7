// The same request as a command of curl and as a call of fetch.

/** A request of an example, with a path below the base address. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly identity: string | undefined;
  readonly body: object | undefined;
  /** What the response is. */
  readonly answer: 'json' | 'text' | 'bytes';
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** Objects and lists that fit on a line stay on it. */
export const jsonText = (value: unknown, depth = 0): string => {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return short;
  const entries = Array.isArray(value)
    ? value.map((one) => jsonText(one, depth + 1))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${jsonText(one, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'];
  if (entries.length === 0) return Array.isArray(value) ? '[]' : '{}';
  const line = `${open}${entries.join(', ')}${close}`;
  if (depth > 0 && line.length <= 90 && !line.includes('\n')) return line;
  const inner = '  '.repeat(depth + 1);
  return `${open.trim()}\n${inner}${entries.join(`,\n${inner}`)}\n${'  '.repeat(depth)}${close.trim()}`;
};

/** The command, for a shell that has the base address and the key in `BASE` and `KEY`. */
export const curlOf = ({ method, path, identity, body, answer }: Ask): string => {
  const usual = body === undefined ? 'GET' : 'POST';
  const address = /[?&:]/.test(path) ? `"$BASE${path}"` : `$BASE${path}`;
  return [
    `curl ${method === usual ? '' : `-X ${method} `}${address}`,
    `-H "Authorization: Bearer $KEY"`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`]),
    ...(identity === undefined ? [] : [`-H 'Idempotency-Key: ${identity}'`]),
    ...(body === undefined ? [] : [`-d '${indented(jsonText(body), '  ')}'`]),
    ...(answer === 'bytes' ? ['-o content'] : []),
  ].join(' \\\n  ');
};

/** The same as a program has it: no quotes around names, and single ones around texts. */
const scriptText = (value: object): string =>
  jsonText(value)
    .replaceAll(/"(\w+)": /gu, '$1: ')
    .replaceAll(/"([^"'\\]*)"/gu, "'$1'");

/** The call, for a program that has the base address and the key in `BASE` and `KEY`; it leaves the response in `response`. */
export const fetchOf = ({ method, path, identity, body, answer }: Ask): string => {
  const headers = [
    'authorization: `Bearer ${KEY}`',
    ...(body === undefined ? [] : [`'content-type': 'application/json'`]),
    ...(identity === undefined ? [] : [`'idempotency-key': '${identity}'`]),
  ];
  const init = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    headers.length === 1 ? `headers: { ${headers.join(', ')} }` : `headers: {\n    ${headers.join(',\n    ')},\n  }`,
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(scriptText(body), '  ')})`]),
  ];
  return [
    `const response = await fetch(\`\${BASE}${path}\`, {`,
    ...init.map((line) => `  ${line},`),
    '});',
    `const result = await response.${answer}();`,
  ].join('\n');
};
