import { expect, test } from 'vitest';
import { isPrintedBy } from './printed-secrets.ts';

const secrets = ['a-probe-of-printing'];

test('notices a secret that is printed by the console or written to a stream of the process, and no other text', async () => {
  const printed = [
    await isPrintedBy(secrets, async () => console.debug('key', 'a-probe-of-printing')),
    await isPrintedBy(secrets, async () => void process.stderr.write('a-probe-of-printing\n')),
    await isPrintedBy(secrets, async () => console.debug('another text')),
  ];
  expect(printed).toEqual([true, true, false]);
});

test('hears nothing of what is printed after its time, and puts everything back', async () => {
  const { debug } = console;
  await isPrintedBy(secrets, () => Promise.resolve());
  expect(console.debug).toBe(debug);
  await expect(isPrintedBy(secrets, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(console.debug).toBe(debug);
});
