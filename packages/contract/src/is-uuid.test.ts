import { expect, test } from 'vitest';
import { isUuid } from './is-uuid.ts';

const id = '01900000-0000-7000-8000-0000000000af';

test('knows a uuid in lower case, as ids are given out', () => {
  expect(isUuid(id)).toBe(true);
});

test('takes nothing else for an id', () => {
  const others = [
    '',
    id.toUpperCase(),
    id.replaceAll('-', ''),
    `${id}0`,
    ` ${id}`,
    `${id}\n`,
    `files/${id}`,
    'g' + id.slice(1),
  ];
  expect(others.filter(isUuid)).toEqual([]);
});
