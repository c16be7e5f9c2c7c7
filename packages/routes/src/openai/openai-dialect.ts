import type { RouteId } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { authenticate } from '../authenticate.ts';
import { getFileContent } from './file-content.ts';
import type { GatewayHandler, GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { renderError } from '../render-error.ts';
import type { Service } from '../service.ts';

const userAgent = /^(?:async)?openai\//i;

/**
 * Whether one of OpenAI's own client libraries asks, or one that is built upon them: by the name they give, or by the header that
 * all of their line send and another vendor's, which sends it too, marks with a version of its own.
 */
export const isOpenaiClient = (request: Pick<GatewayRequest, 'header'>): boolean =>
  userAgent.test(request.header('user-agent') ?? '') ||
  (request.header('x-stainless-lang') !== null && request.header('anthropic-version') === null);

const contentPath = /^\/files\/([^/]+)\/content$/;

/** A method of this dialect that the contract does not have, with the route of the contract whose rate it counts to. */
interface OwnMethod {
  readonly route: RouteId;
  readonly run: (access: Access) => Promise<GatewayResponse>;
}

const ownMethodOf = (service: Service, request: GatewayRequest, path: string): OwnMethod | null => {
  const id = contentPath.exec(path)?.[1];
  if (id === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return null;
  return { route: 'getFile', run: (access) => getFileContent(service, access, request, id) };
};

const runOwn = async (service: Service, own: OwnMethod, request: GatewayRequest): Promise<GatewayResponse> => {
  try {
    return await own.run(await authenticate(service, request, own.route, 'query'));
  } catch (cause) {
    return renderError(service, request, cause, { form: 'object' });
  }
};

/**
 * In front of the contract's routes where the compatibility option is on: what these clients find at a path of their own, and a mark
 * on their requests, by which records use their words (chat:compat:openai).
 */
export const withOpenaiDialect = (service: Service, handle: GatewayHandler): GatewayHandler => {
  const { basePath } = service;
  return async (asked) => {
    const request: GatewayRequest =
      asked.dialect === undefined && isOpenaiClient(asked) ? { ...asked, dialect: 'openai' } : asked;
    const own = request.path.startsWith(`${basePath}/`)
      ? ownMethodOf(service, request, request.path.slice(basePath.length))
      : null;
    return own === null ? handle(request) : runOwn(service, own, request);
  };
};
