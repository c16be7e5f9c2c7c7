const shownCharactersMax = 1_500;

const cut = (text: string): string =>
  text.length <= shownCharactersMax
    ? text
    : `${text.slice(0, shownCharactersMax)}… (${text.length - shownCharactersMax} more characters)`;

const bodyText = (body: unknown): string => {
  if (body === undefined) return '';
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return `(${body.byteLength} bytes)`;
  if (body instanceof ReadableStream) return '(a stream)';
  return JSON.stringify(body);
};

const headerLines = (headers: Headers): string =>
  Array.from(headers, ([name, value]) => `${name}: ${value}`).join('\n');

const message = (first: string, headers: Headers, body: string): string =>
  [first, headerLines(headers), ...(body === '' ? [] : ['', cut(body)])]
    .filter((line, at) => line !== '' || at > 1)
    .join('\n');

/** What a report may say: no key. */
export const withoutKeys = (text: string, keys: readonly string[]): string =>
  keys.reduce((shown, key) => shown.replaceAll(key, '<key>'), text);

export const showRequest = (first: string, headers: Headers, body: unknown): string =>
  message(first, headers, bodyText(body));

export const showResponse = (status: number, headers: Headers, text: string): string =>
  message(String(status), headers, text);
