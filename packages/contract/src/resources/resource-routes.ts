import { z } from 'zod';
import type { ResourceRecordSchemas } from './resource-record.ts';
import type { Route } from '../http/route.ts';

/** How a kind is called in ids of routes and in sentences. */
export interface ResourceRouteNames<One extends string, Many extends string, Path extends string> {
  /** As in `getVideo`. */
  readonly one: One;
  /** As in `listVideos`. */
  readonly many: Many;
  /** Below `basePath`. */
  readonly path: Path;
  /** As in sentences. */
  readonly noun: string;
}

// resources:errors:statuses
/** What creating a resource can answer. */
export const resourceCreationStatuses = [200, 400, 401, 402, 403, 404, 409, 413, 422, 429, 503] as const;

type Row<Id extends string, Path extends string> = Omit<Route, 'id' | 'path'> & {
  readonly id: Id;
  readonly path: Path;
};

const byId = z.object({ id: z.uuid() });

const json = (description: string, schema: (brand: string) => z.ZodType): Route['success'] => ({
  description,
  contents: { 'application/json': schema },
});

/** What the queries of every kind have in common. */
const query = {
  charged: false,
  takesIdentity: false,
  bodyBytesMax: null,
  family: null,
  request: null,
  errorForm: 'object',
} as const;

/** The rows by which every resource type is listed, read and deleted. */
export const resourceRoutes = <One extends string, Many extends string, Path extends string>(
  { one, many, path, noun }: ResourceRouteNames<One, Many, Path>,
  schemas: ResourceRecordSchemas,
): readonly [Row<`list${Many}`, Path>, Row<`get${One}`, `${Path}/{id}`>, Row<`delete${One}`, `${Path}/{id}`>] => [
  {
    ...query,
    id: `list${many}`,
    method: 'GET',
    path,
    summary: `List the ${noun}s of the project`,
    pathParameters: null,
    success: json(`At most 100 ${noun}s, the newest first. Large results are null here and shown by id.`, schemas.list),
    statuses: [200, 401, 402, 403, 429, 503],
  },
  {
    ...query,
    id: `get${one}`,
    method: 'GET',
    path: `${path}/{id}`,
    summary: `Query one ${noun}`,
    pathParameters: byId,
    success: json(`The ${noun} as it stands.`, schemas.record),
    statuses: [200, 401, 402, 403, 404, 429, 503],
  },
  {
    ...query,
    id: `delete${one}`,
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: `Delete one ${noun}`,
    pathParameters: byId,
    success: json(`The ${noun} as deleted.`, schemas.deleted),
    statuses: [200, 401, 402, 403, 404, 409, 429, 503],
  },
];

/** The row by which a kind that can be cancelled is cancelled. */
export const cancelRoute = <One extends string, Path extends string>(
  { one, path, noun }: Pick<ResourceRouteNames<One, string, Path>, 'one' | 'path' | 'noun'>,
  schemas: ResourceRecordSchemas,
): Row<`cancel${One}`, `${Path}/{id}/cancel`> => ({
  ...query,
  id: `cancel${one}`,
  method: 'POST',
  path: `${path}/{id}/cancel`,
  summary: `Cancel one ${noun}`,
  pathParameters: byId,
  success: json(`The ${noun} as it stands; it may not have stopped yet.`, schemas.record),
  statuses: [200, 401, 402, 403, 404, 409, 422, 429, 503],
});

// resources:content:headers
/** The row by which what a kind generated is downloaded; HEAD is answered, too. */
export const contentRoute = <One extends string, Path extends string>(
  { one, path, noun }: Pick<ResourceRouteNames<One, string, Path>, 'one' | 'path' | 'noun'>,
  mimeType: string,
) =>
  ({
    ...query,
    id: `get${one}Content`,
    method: 'GET',
    answersHead: true,
    path: `${path}/{id}/content`,
    summary: `Download what the ${noun} came to`,
    pathParameters: byId,
    queryParameters: z.object({ index: z.int().min(0).default(0) }),
    success: {
      description: 'The bytes; 206 with a part of them where a range was asked for.',
      contents: { [mimeType]: () => z.string().meta({ contentEncoding: 'binary' }) },
    },
    statuses: [200, 206, 401, 402, 403, 404, 409, 416, 422, 429, 503],
  }) as const satisfies Row<`get${One}Content`, `${Path}/{id}/content`>;
