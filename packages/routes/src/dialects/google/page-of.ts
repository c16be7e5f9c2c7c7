import { GatewayError } from '@tollgate/contract';
import type { FoundResource } from '@tollgate/engine';
import type { GatewayRequest } from '../../gateway-request.ts';

/** Records of one page at the most, as these clients know it. */
const pageMax = 1_000;
const pageDefault = 50;

const wholeNumber = /^\d{1,9}$/;

/** A number of the query; `absent` where it says none. */
export const numberAt = (query: URLSearchParams, name: string, absent: number): number => {
  const text = query.get(name);
  if (text === null || text === '') return absent;
  if (!wholeNumber.test(text))
    throw new GatewayError('invalid_request', {
      detail: `The parameter ${name} is no number; accepted are integers of at least 0.`,
    });
  return Number(text);
};

/** How many records a request asks for at once. */
export const pageSizeOf = (query: URLSearchParams): number =>
  Math.min(numberAt(query, 'pageSize', pageDefault) || pageDefault, pageMax);

/** One page, and the token of the next one. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly nextPageToken: string | undefined;
}

/**
 * One page of resources, the newest first. The token is the id of the last one that was shown: ids grow with time, so that a page
 * goes on at its place even where that resource has been deleted.
 */
export const pageOf = <T extends Pick<FoundResource, 'resource'>>(
  request: GatewayRequest,
  all: readonly T[],
): Page<T> => {
  const query = new URLSearchParams(request.query);
  const token = query.get('pageToken') ?? '';
  const left = token === '' ? all : all.filter(({ resource }) => resource.id < token);
  const rows = left.slice(0, pageSizeOf(query));
  return { rows, nextPageToken: rows.length < left.length ? rows.at(-1)?.resource.id : undefined };
};
