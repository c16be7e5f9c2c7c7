import { GatewayError } from '@tollgate/contract';
import type { GatewayRequest } from '../gateway-request.ts';

export const invalidParameter = (name: string, accepted: string): GatewayError =>
  new GatewayError('invalid_request', { detail: `The parameter ${name} is not valid; accepted is ${accepted}.` });

/** Characters of an unknown name that a message repeats. */
const shownCharsMax = 40;

const shownName = (name: string): string => name.replaceAll(/[^\w.-]/g, '?').slice(0, shownCharsMax);

const unknownParameter = (name: string, known: readonly string[]): GatewayError =>
  new GatewayError('invalid_request', {
    detail: `The parameter ${shownName(name)} is unknown; accepted ${known.length === 0 ? 'are none' : `are ${known.join(', ')}`}.`,
  });

/** The parameters of a request, each at most once; any other is refused by name. */
export const knownParameters = (request: GatewayRequest, known: readonly string[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(request.query)) {
    if (!known.includes(name)) throw unknownParameter(name, known);
    if (found.has(name)) throw invalidParameter(name, 'one value');
    found.set(name, value);
  }
  return found;
};
