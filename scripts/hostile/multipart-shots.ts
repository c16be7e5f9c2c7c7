import { basePath } from '@tollgate/contract';
import type { Shot } from './hostile-shot.ts';
import { textModel } from './hostile-routes.ts';

const boundary = 'hostile';
const line = '\r\n';

/** One part of a form: its headers, and what it holds. */
const part = (headers: string, content: string): string =>
  `--${boundary}${line}${headers}${line}${line}${content}${line}`;
const disposition = (parameters: string): string => `content-disposition: form-data; ${parameters}`;
const end = `--${boundary}--${line}`;

/** As often as it fits into so many bytes. */
const fill = (unit: string, bytes: number): string => unit.repeat(Math.max(0, Math.floor(bytes / unit.length)));

/** Below the bound on the headers of a part, which is 16,384 bytes. */
const headersBytes = 16_000;

const forms: Readonly<Record<string, (bytes: number) => string>> = {
  'many tiny parts': (bytes) => fill(part(disposition('name="purpose"'), 'x'), bytes) + end,
  'many parts of nothing': (bytes) => fill(`--${boundary}${line}${line}`, bytes) + end,
  'tiny parts around one file': (bytes) =>
    fill(part(disposition('name="purpose"'), 'x'), 900) + part(disposition('name="file"'), fill('a', bytes)) + end,
  'headers without an end': (bytes) => `--${boundary}${line}${fill('a: b\r\n', bytes)}`,
  'headers just within their bound': () =>
    fill(part(`${fill('a: b\r\n', headersBytes)}${disposition('name="purpose"')}`, 'x'), 15 * headersBytes) + end,
  'one very long header': (bytes) => part(`x: ${fill('a', bytes)}`, 'x') + end,
  'a huge field name': (bytes) => part(disposition(`name="${fill('n', bytes)}"`), 'x') + end,
  'a field name just within the bound': () => part(disposition(`name="${fill('n', headersBytes)}"`), 'x') + end,
  'a field name of escapes': () => part(disposition(`name="${fill('\\"', headersBytes)}`), 'x') + end,
  'parameters without an end': () => part(`content-disposition: form-data${fill('; ', headersBytes)}`, 'x') + end,
  'blanks between parameters': () => part(`content-disposition: form-data;${fill(' ', headersBytes)}`, 'x') + end,
  'a huge file name': () => part(disposition(`name="file"; filename="${fill('n', headersBytes)}"`), 'x') + end,
  'a file of beginnings of the boundary': (bytes) =>
    part(disposition('name="file"'), fill(`${line}--${boundary.slice(0, -1)}`, bytes)) + end,
  'a file of line ends': (bytes) => part(disposition('name="file"'), fill(line, bytes)) + end,
  'a file of zeros': (bytes) => part(disposition('name="file"'), fill('\0', bytes)) + end,
  'text before the first boundary': (bytes) => fill('a', bytes) + line + part(disposition('name="file"'), 'x') + end,
};

/** Uploads as forms, in which everything but the content of a file is hostile. */
export const multipartShots = (bytes: number): readonly Shot[] =>
  Object.entries(forms).map(([filler, write]) => ({
    surface: 'multipart POST /files',
    place: 'form',
    filler,
    model: textModel,
    build: () => ({
      kind: 'http',
      body: Buffer.from(write(bytes - 512)),
      sendingOf: ({ origin }, key) => ({
        origin,
        method: 'POST',
        path: `${basePath}/files`,
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
      }),
    }),
  }));
