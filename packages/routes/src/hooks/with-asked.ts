import { parseIdempotencyKey } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import type { GatewayRequest } from '../gateway-request.ts';
import type { Service } from '../service.ts';

type AskedCall = NonNullable<Access['asked']>;

/** A request and whose it is. */
export interface CallerRequest {
  readonly access: Access;
  readonly request: GatewayRequest;
}

/** A call that a hook is to be asked about; its body is noted when it is there. */
export const askedCall = (
  { route, identity, header }: Pick<AskedCall, 'route' | 'identity' | 'header'>,
  value?: unknown,
): AskedCall => {
  let body = value;
  return {
    route,
    identity,
    header,
    noteBody: (read) => {
      body = read;
    },
    readBody: () => body,
    dropBody: () => {
      body = undefined;
    },
  };
};

/** One that is none is refused by the handler. */
const identityIn = (request: GatewayRequest): string | null => {
  const header = request.header('idempotency-key');
  try {
    return header === null ? null : parseIdempotencyKey(header);
  } catch {
    return null;
  }
};

/** The same request and access where no hook is asked about requests; otherwise both with the call. */
export const withAsked = (
  { requestHook }: Pick<Service, 'requestHook'>,
  caller: CallerRequest,
  route: string,
): CallerRequest => {
  if (requestHook === null) return caller;
  const { access, request } = caller;
  const header = (name: string): string | null => request.header(name);
  const asked = askedCall({ route, identity: identityIn(request), header });
  return { access: { ...access, asked }, request: { ...request, noteBody: asked.noteBody } };
};
