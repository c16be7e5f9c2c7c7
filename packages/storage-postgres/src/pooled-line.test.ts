import { expect, test } from 'vitest';
import type { Line } from './line.ts';
import { createPooledLine } from './pooled-line.ts';
import { plainStatement } from './statement.ts';

/** A line that returns of each statement its text. */
const createLine = () => {
  const sent: (readonly string[])[] = [];
  const line: Line = {
    run: async (statements) => {
      const texts = Array.from(statements, ({ name, text }) => `${name}${text}`);
      sent.push(texts);
      return texts.map((tag) => ({ rows: [], tag }));
    },
    isOpen: () => true,
    discard: () => undefined,
  };
  const pooled = createPooledLine(line, plainStatement('SET'));
  const run = async (...texts: readonly string[]): Promise<readonly string[]> =>
    (await pooled.run(texts.map((text) => ({ ...plainStatement(text), name: 'named ' })))).map(({ tag }) => tag);
  return { sent, run };
};

test('sends the settings at the begin of each transaction, once, and returns the results of what was asked alone', async () => {
  const { sent, run } = createLine();
  expect(await run('BEGIN', 'READ')).toEqual(['BEGIN', 'READ']);
  expect(await run('WRITE', 'COMMIT')).toEqual(['WRITE', 'COMMIT']);
  expect(await run('BEGIN', 'WRITE', 'COMMIT')).toEqual(['BEGIN', 'WRITE', 'COMMIT']);
  expect(sent).toEqual([
    ['BEGIN', 'SET', 'READ'],
    ['WRITE', 'COMMIT'],
    ['BEGIN', 'SET', 'WRITE', 'COMMIT'],
  ]);
});

test('sends them with what is a transaction by itself, and with nothing that only ends one', async () => {
  const { sent, run } = createLine();
  expect(await run('READ', 'READ')).toEqual(['READ', 'READ']);
  expect(await run('BEGIN')).toEqual(['BEGIN']);
  expect(await run('ROLLBACK')).toEqual(['ROLLBACK']);
  expect(await run('READ')).toEqual(['READ']);
  expect(sent).toEqual([['SET', 'READ', 'READ'], ['BEGIN'], ['ROLLBACK'], ['SET', 'READ']]);
});
