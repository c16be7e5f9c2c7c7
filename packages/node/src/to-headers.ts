import type { IncomingMessage } from 'node:http';

/** Every header as it came, a repeated one with each of its values; the ones of HTTP/2 that start with a colon are no headers. */
export const toHeaders = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Headers => {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!name.startsWith(':')) headers.append(name, value);
  }
  return headers;
};
