import { isUuid } from '@tollgate/contract';
import { isStorageBusy, withoutApiKeys, type Administration, type Logger } from '@tollgate/engine';
import { callerFault, type AdminCaller } from './admin-caller.ts';
import { AdminError, knownError, notFound, statusOf } from './admin-error.ts';
import type { AdminAnswer, AdminRoute } from './admin-route.ts';
import { createFindRoute } from './find-route.ts';
import { createAdminOpenApi } from './open-api.ts';
import type { AdminHandlerOptions } from './handler-options.ts';
import { checkHandlerOptions } from './options-check.ts';
import { readInput, readPart } from './read-request.ts';
import { adminRoutes } from './route-table.ts';
import { toWire } from './to-wire.ts';
import { trailLogger } from './trail-logger.ts';

/** What of a gateway is administered. */
export interface AdministeredGateway {
  readonly admin: Administration;
}

export type AdminHandler = (request: Request) => Promise<Response>;

const basePathDefault = '/admin';

const headersOf = (requestId: string): Record<string, string> => ({
  'cache-control': 'no-store',
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'x-request-id': requestId,
});

/** What is known of a request while it is answered. */
interface Asking {
  readonly request: Request;
  readonly requestId: string;
  caller: AdminCaller | null;
  route: AdminRoute | null;
  path: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
}

const respond = (answer: AdminAnswer, { route, requestId }: Asking): Response => {
  if (answer.kind === 'json')
    return new Response(JSON.stringify(toWire(answer.value)), {
      status: route?.success.status ?? 200,
      headers: headersOf(requestId),
    });
  return new Response(answer.stream, {
    headers: {
      ...headersOf(requestId),
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${answer.fileName.replaceAll(/[^\w.-]/g, '_')}"`,
    },
  });
};

const respondError = (logger: Logger, cause: unknown, { requestId, headers }: Asking): Response => {
  const known = knownError(cause);
  if (known === null && !isStorageBusy(cause))
    logger.error('the administration failed unexpectedly', { requestId, cause });
  const error = known ?? new AdminError('service_unavailable', 'The service is temporarily unavailable.');
  const { code, message } = error;
  return new Response(JSON.stringify({ error: { code, message: withoutApiKeys(message), request_id: requestId } }), {
    status: statusOf(code),
    headers: { ...headersOf(requestId), ...headers },
  });
};

const changes = ({ method }: Pick<AdminRoute, 'method'>): boolean => method !== 'GET';

/** Who changed what, and what came of it: never a body, in which a secret may stand. */
const writeTrail = (logger: Logger, { caller, route, path, requestId }: Asking, status: number): void => {
  if (caller === null || route === null || !changes(route)) return;
  logger.info('administration', { by: caller.name, role: caller.role, action: route.id, ...path, status, requestId });
};

interface Parts {
  readonly admin: Administration;
  readonly options: AdminHandlerOptions;
  readonly basePath: string;
  readonly findRoute: ReturnType<typeof createFindRoute>;
}

const requireCaller = async ({ options }: Parts, request: Request): Promise<AdminCaller> => {
  const caller = await options.authorize(request);
  if (caller === null) throw new AdminError('invalid_credential', 'The credential is missing or wrong.');
  const fault = callerFault(caller);
  if (fault !== null) throw new Error(`authorize returned a caller that ${fault}`);
  return caller;
};

const requireHeader = ({ options: { requiredHeader } }: Parts, { request, route }: Asking): void => {
  if (requiredHeader === undefined || route === null || !changes(route)) return;
  if (request.headers.get(requiredHeader) === null)
    throw new AdminError('not_permitted', `The header ${requiredHeader} is missing; accepted is any value of it.`);
};

/** What is no id can name nothing: ids are uuids, and a delivery has that of its event and that of its webhook. */
const isIdOf = ([name, id]: readonly [name: string, id: string]): boolean => {
  const parts = id.split(':');
  return parts.length === (name === 'delivery_id' ? 2 : 1) && parts.every(isUuid);
};

/** The path below the base path; null for one outside of it. */
const pathBelow = (basePath: string, request: Request): string | null => {
  const { pathname } = new URL(request.url);
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : null;
};

const run = async (parts: Parts, asking: Asking): Promise<Response> => {
  const { request } = asking;
  const caller = await requireCaller(parts, request);
  asking.caller = caller;
  const path = pathBelow(parts.basePath, request);
  if (path === '/openapi.json' && request.method === 'GET')
    return Response.json(createAdminOpenApi(adminRoutes, parts.basePath), { headers: headersOf(asking.requestId) });
  const found = path === null ? ({ kind: 'unknown' } as const) : parts.findRoute(request.method, path);
  if (found.kind === 'unknown') throw new AdminError('not_found', 'No route has this path.');
  if (found.kind === 'method_not_allowed') {
    asking.headers = { allow: found.allow };
    throw new AdminError('method_not_allowed', `The path takes ${found.allow}.`);
  }
  const { route } = found;
  asking.route = route;
  asking.path = found.path;
  if (route.role === 'operator' && caller.role !== 'operator')
    throw new AdminError('not_permitted', 'This is for operators.');
  requireHeader(parts, asking);
  if (changes(route) && !Object.entries(found.path).every(isIdOf)) throw notFound();
  const input = await readInput(request, route, found.path);
  const identity = request.headers.get('idempotency-key');
  const accept = request.headers.get('accept') ?? '';
  return respond(await route.answer({ admin: parts.admin, caller, identity, accept }, input, readPart), asking);
};

/**
 * The administration of a gateway as a function that every JavaScript server can mount. Only callers whom `authorize`
 * lets in reach it; an owner sees and changes its own projects alone. It never throws.
 */
export const adminHandler = ({ admin }: AdministeredGateway, options: AdminHandlerOptions): AdminHandler => {
  checkHandlerOptions(options);
  const { logger = trailLogger, basePath = basePathDefault } = options;
  const parts: Parts = { admin, options, basePath, findRoute: createFindRoute(adminRoutes) };
  return async (request) => {
    const requestId = crypto.randomUUID();
    const asking: Asking = { request, requestId, caller: null, route: null, path: {}, headers: {} };
    const response = await run(parts, asking).catch((cause: unknown) => respondError(logger, cause, asking));
    writeTrail(logger, asking, response.status);
    return response;
  };
};
