import { expect, test } from 'vitest';
import { listBytesMax, listPage, listWithin } from './list-within.ts';

const rowsOf = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `r${at}`, createdAtMs: count - at, bytes }));

const list = async (rows: ReturnType<typeof rowsOf>, gone: readonly string[] = []) => {
  let read = 0;
  const found = await listWithin(
    async ({ limit, after }) => {
      const from = after === undefined ? 0 : rows.findIndex(({ id }) => id === after.id) + 1;
      const page = rows.slice(from, from + limit);
      read += page.length;
      return listPage(
        page,
        limit,
        page.filter(({ id }) => !gone.includes(id)),
      );
    },
    ({ bytes }) => bytes,
  );
  return { ids: found.map(({ id }) => id), read };
};

test('shows a hundred small records in order, and no more', async () => {
  const { ids } = await list(rowsOf(130, 100));
  expect(ids).toEqual(
    rowsOf(130, 100)
      .slice(0, 100)
      .map(({ id }) => id),
  );
  expect((await list(rowsOf(11, 100))).ids).toHaveLength(11);
});

test('stops at its bytes, reads no page beyond them, and shows one record however large', async () => {
  expect(await list(rowsOf(100, listBytesMax / 4))).toMatchObject({ ids: ['r0', 'r1', 'r2', 'r3'], read: 8 });
  expect(await list(rowsOf(100, 5 * listBytesMax))).toEqual({ ids: ['r0'], read: 8 });
});

test('goes on behind a record that has gone while the list was read', async () => {
  expect((await list(rowsOf(20, 1), ['r7', 'r8'])).ids).toHaveLength(18);
});

test('a page that is full may be followed by another, and one that is not is the last', () => {
  const rows = rowsOf(3, 1);
  expect(listPage(rows, 3, rows).last).toEqual({ order: 1, id: 'r2' });
  expect(listPage(rows, 4, rows).last).toBeNull();
  expect(listPage([], 4, []).last).toBeNull();
});
