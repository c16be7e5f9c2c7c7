import { GatewayError } from '@tollgate/contract';

/** Entries of one page, as these clients know it. */
const pageMax = 1_000;
const pageDefault = 20;

const limitOf = (query: URLSearchParams): number => {
  const text = query.get('limit');
  if (text === null) return pageDefault;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > pageMax)
    throw new GatewayError('invalid_request', {
      detail: `The parameter limit is no number of entries; accepted are integers from 1 to ${pageMax}.`,
    });
  return limit;
};

/** One page of a list as these clients ask for it: `limit` entries behind `after_id`, or before `before_id`. */
export const listPage = <T extends { readonly id: string }>(entries: readonly T[], search: string) => {
  const query = new URLSearchParams(search);
  const limit = limitOf(query);
  const placeOf = (id: string | null): number => entries.findIndex((entry) => entry.id === id);
  const after = placeOf(query.get('after_id'));
  const before = placeOf(query.get('before_id'));
  const to = before === -1 ? Math.min(after + 1 + limit, entries.length) : before;
  const from = before === -1 ? after + 1 : Math.max(0, before - limit);
  const data = entries.slice(from, to);
  return {
    data,
    has_more: before === -1 ? to < entries.length : from > 0,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
};
