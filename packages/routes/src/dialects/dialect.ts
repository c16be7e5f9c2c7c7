import type { RouteId } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { authenticate } from '../authenticate.ts';
import { belowBase } from '../below-base.ts';
import type { GatewayHandler, GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { withAsked } from '../hooks/with-asked.ts';
import { heardBy, openHearing, withReports } from '../limits/limit-headers.ts';
import { withMeansFirst } from '../means-first.ts';
import { renderError } from '../render-error.ts';
import { serviceOf } from '../service-of.ts';
import type { Service } from '../service.ts';
import { withRequestId } from '../with-request-id.ts';
import { inTurns } from '../with-turns.ts';

/** A method of a dialect that the contract does not have, or has in another form. */
export interface DialectMethod {
  /** The route of the contract that it stands for: it has the rate limit of that route, and its rule on credits. */
  readonly route: RouteId;
  /** `opening` opens an operation; `query` reads. */
  readonly purpose: 'query' | 'opening';
  readonly run: (
    service: Service,
    access: Access,
    request: GatewayRequest,
  ) => GatewayResponse | Promise<GatewayResponse>;
}

/** A request as a dialect reads it. */
export interface ReadRequest {
  /** Its path below the base path of the contract, its credential in the header of the contract. */
  readonly request: GatewayRequest;
  /** Whether the dialect is spoken: otherwise the request goes on to the next dialect, and to the contract. */
  readonly isSpoken: boolean;
}

/** The wire of a family of clients, as a mapping in front of the routes of the contract. */
export interface Dialect {
  readonly read: (basePath: string, request: GatewayRequest) => ReadRequest;
  /** The method for a path below the base path; null where the contract has it. */
  readonly methodOf: (request: GatewayRequest, path: string) => DialectMethod | null;
  /** An error of the contract, in the form of the dialect. */
  readonly toError: (answer: GatewayResponse, body: string, request: GatewayRequest) => GatewayResponse;
}

const runMethod = async (
  service: Service,
  method: DialectMethod,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const heard = openHearing(service);
  try {
    const access = heardBy(heard, await authenticate(service, request, method.route, method.purpose));
    const own = serviceOf(service, access);
    if (method.purpose === 'query')
      return withRequestId(
        service,
        request,
        await inTurns(own, access, request, (turning) => method.run(own, access, turning)),
      );
    const meant = withMeansFirst(own, request, { access, route: method.route });
    const caller = withAsked(own, { access, request: meant }, method.route);
    const answer = await inTurns(own, caller.access, caller.request, (turning) =>
      method.run(own, caller.access, turning),
    );
    return withReports(service, heard, request, withRequestId(service, request, answer));
  } catch (cause) {
    return withReports(service, heard, request, renderError(service, request, cause, { form: 'object' }));
  }
};

/** The handler with a dialect in front of it. Requests of other clients pass through. */
export const withDialect = (service: Service, dialect: Dialect, handle: GatewayHandler): GatewayHandler => {
  const { basePath } = service;
  return async (asked) => {
    const { request, isSpoken } = dialect.read(basePath, asked);
    if (!isSpoken) return handle(request);
    const path = belowBase(basePath, request.path);
    const method = path === null ? null : dialect.methodOf(request, path);
    const answer = method === null ? await handle(request) : await runMethod(service, method, request);
    return answer.status < 400 || typeof answer.body !== 'string'
      ? answer
      : dialect.toError(answer, answer.body, request);
  };
};
