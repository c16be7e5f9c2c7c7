interface Listed {
  readonly id?: unknown;
}

export interface ListPage<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly first_id: unknown;
  readonly last_id: unknown;
  readonly has_more: boolean;
}

const pageDefault = 20;
const pageMax = 100;

const limitIn = (query: URLSearchParams, usual: number): number =>
  Math.min(Math.max(Math.trunc(Number(query.get('limit') ?? usual)) || usual, 1), pageMax);

/** One page of a list as the clients of this wire ask for it: the newest first unless `order=asc`, what follows `after`, at most `limit`. `usual` is how many a client gets that asks for no number. */
export const listPage = <T extends Listed>(
  newestFirst: readonly T[],
  search: string,
  usual = pageDefault,
): ListPage<T> => {
  const query = new URLSearchParams(search);
  const ordered = query.get('order') === 'asc' ? newestFirst.toReversed() : newestFirst;
  const after = query.get('after');
  const from = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  const limit = limitIn(query, usual);
  const data = ordered.slice(from, from + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  };
};
