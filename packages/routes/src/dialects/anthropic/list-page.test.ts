import { expect, test } from 'vitest';
import { listPage } from './list-page.ts';

const entries = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
const page = (search: string) => {
  const { data, ...rest } = listPage(entries, search);
  return { ids: data.map(({ id }) => id).join(''), ...rest };
};

test('goes on behind an entry, and says whether more follow', () => {
  expect(page('limit=2')).toEqual({ ids: 'ab', has_more: true, first_id: 'a', last_id: 'b' });
  expect(page('limit=2&after_id=b')).toEqual({ ids: 'cd', has_more: true, first_id: 'c', last_id: 'd' });
  expect(page('limit=2&after_id=c')).toEqual({ ids: 'de', has_more: false, first_id: 'd', last_id: 'e' });
  expect(page('limit=2&after_id=e')).toEqual({ ids: '', has_more: false, first_id: null, last_id: null });
});

test('goes back before an entry, and says whether more stand before', () => {
  expect(page('limit=2&before_id=d')).toEqual({ ids: 'bc', has_more: true, first_id: 'b', last_id: 'c' });
  expect(page('limit=2&before_id=c')).toEqual({ ids: 'ab', has_more: false, first_id: 'a', last_id: 'b' });
  expect(page('limit=9&before_id=b')).toEqual({ ids: 'a', has_more: false, first_id: 'a', last_id: 'a' });
});

test.each(['0', '-1', '1.5', 'x', '1000000'])('takes no limit of %s', (limit) => {
  expect(() => listPage(entries, `limit=${limit}`)).toThrow('The parameter limit is no number of entries');
});
