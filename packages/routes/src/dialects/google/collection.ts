import type { RouteId } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../../gateway-request.ts';
import { jsonAnswer } from '../../json-answer.ts';
import type { Service } from '../../service.ts';
import type { DialectMethod } from '../dialect.ts';

type Answered = GatewayResponse | string;

type OnAll = (service: Service, access: Access, request: GatewayRequest) => Promise<Answered>;

type OnOne = (service: Service, access: Access, request: GatewayRequest, id: string) => Promise<Answered>;

/** A method on one record or on all of them, and the route of the contract that it stands for. */
interface Stands<Run> {
  readonly route: RouteId;
  readonly run: Run;
}

/** The records of one type under their path; what is not there has no method. */
export interface Collection {
  /** Below the base path, without a slash at its end. */
  readonly path: string;
  /** POST to the path opens an operation. */
  readonly create?: Stands<OnAll>;
  readonly list?: Stands<OnAll>;
  readonly get?: Stands<OnOne>;
  readonly patch?: Stands<OnOne>;
  readonly remove?: Stands<OnOne>;
  /** POST to `{path}/{id}:{action}`. */
  readonly actions?: Readonly<Record<string, Stands<OnOne> & Pick<DialectMethod, 'purpose'>>>;
}

const answerOf = (answered: Answered): GatewayResponse =>
  typeof answered === 'string' ? jsonAnswer(answered) : answered;

const onAll = (stands: Stands<OnAll> | undefined, purpose: DialectMethod['purpose']): DialectMethod | null =>
  stands === undefined
    ? null
    : {
        route: stands.route,
        purpose,
        run: async (service, access, request) => answerOf(await stands.run(service, access, request)),
      };

const onOne = (stands: Stands<OnOne> | undefined, id: string, purpose: DialectMethod['purpose'] = 'query') =>
  stands === undefined
    ? null
    : {
        route: stands.route,
        purpose,
        run: async (service: Service, access: Access, request: GatewayRequest) =>
          answerOf(await stands.run(service, access, request, id)),
      };

const rest = /^\/([^/:]+)(?::(\w+))?$/;

/** The method of a collection for a path below the base path; null where it has none. */
export const collectionMethodOf = (collection: Collection, method: string, path: string): DialectMethod | null => {
  if (path === collection.path) {
    if (method === 'POST') return onAll(collection.create, 'opening');
    return method === 'GET' ? onAll(collection.list, 'query') : null;
  }
  const [, id, action] = path.startsWith(collection.path) ? (rest.exec(path.slice(collection.path.length)) ?? []) : [];
  if (id === undefined) return null;
  if (action !== undefined) {
    const stands = method === 'POST' ? collection.actions?.[action] : undefined;
    return onOne(stands, id, stands?.purpose);
  }
  if (method === 'GET') return onOne(collection.get, id);
  if (method === 'PATCH') return onOne(collection.patch, id);
  return method === 'DELETE' ? onOne(collection.remove, id) : null;
};
