import { expect, test } from 'vitest';
import { rememberOpened } from './remember-opened.ts';

const counted = (textsMax: number) => {
  const work: string[] = [];
  const open = (sealed: string, about = ''): string => {
    work.push(`${about}:${sealed}`);
    if (sealed === 'broken') throw new Error('broken');
    return `opened ${sealed} about ${about}`;
  };
  return { seal: rememberOpened({ seal: (text) => text, open }, textsMax), work };
};

test('opens a text once, and each time what it is about has changed', () => {
  const { seal, work } = counted(10);
  const texts = [seal.open('a', 'x'), seal.open('a', 'x'), seal.open('a', 'y'), seal.open('a'), seal.open('a')];
  expect(texts).toEqual([
    'opened a about x',
    'opened a about x',
    'opened a about y',
    'opened a about ',
    'opened a about ',
  ]);
  expect(work).toEqual(['x:a', 'y:a', ':a']);
});

test('remembers so many, those that were asked for last', () => {
  const { seal, work } = counted(2);
  for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) seal.open(text);
  expect(work).toEqual([':a', ':b', ':c', ':b']);
});

test('tries anew what does not open', () => {
  const { seal, work } = counted(2);
  for (const _ of [1, 2]) expect(() => seal.open('broken')).toThrow('broken');
  expect(work).toEqual([':broken', ':broken']);
});
