import { expect, test } from 'vitest';
import { contentBlocks } from './message-blocks.ts';

test('texts that follow each other are one block, which has citations only where something is cited', () => {
  expect(
    contentBlocks([
      { kind: 'text', text: 'One ' },
      { kind: 'text', text: 'two.' },
    ]),
  ).toEqual([{ type: 'text', text: 'One two.' }]);
});
