import { expect, test } from 'vitest';
import { createImageBudget } from './image-budget.ts';

const mebibyte = 1_024 * 1_024;
const all = 20 * mebibyte;

test('lets a project fetch so many images at once, and another one beside it', () => {
  const budget = createImageBudget();
  const chats = Array.from({ length: 5 }, () => budget.open('a'));
  expect(chats.map((chat) => chat.begin(1))).toEqual([true, true, true, true, false]);
  expect(budget.open('b').begin(1)).toBe(true);
  chats[0]?.finish(1);
  expect(chats[4]?.begin(1)).toBe(true);
});

test('reserves the bytes of a fetch before it begins, and keeps those that came until the chat ends', () => {
  const budget = createImageBudget();
  const chats = Array.from({ length: 13 }, (_, index) => budget.open(`p${index}`));
  // 256 MiB have room for 12 fetches of 20 MiB, and 16 MiB are left.
  expect(chats.map((chat) => chat.begin(all)).filter(Boolean)).toHaveLength(12);
  const one = budget.open('one');
  expect(one.begin(16 * mebibyte + 1)).toBe(false);
  chats[0]?.finish(10 * mebibyte);
  expect(one.begin(26 * mebibyte + 1)).toBe(false);
  expect(one.begin(26 * mebibyte)).toBe(true);
  one.release();
  expect(one.begin(26 * mebibyte)).toBe(true);
  one.release();
  for (const chat of chats) chat.release();
  for (const chat of chats) chat.release();
  expect(one.begin(256 * mebibyte)).toBe(true);
});
