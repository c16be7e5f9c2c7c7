import type { IncomingMessage } from 'node:http';

/** The headers of a request, a repeated one with each of its values. */
export const toHeaders = ({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): Headers => {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    // Two Cookie headers mean one list of cookies.
    if (name === 'cookie') headers.set(name, values.join('; '));
    else for (const value of values) headers.append(name, value);
  }
  return headers;
};
