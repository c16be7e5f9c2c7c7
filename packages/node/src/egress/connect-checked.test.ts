import { expect, test } from 'vitest';
import { connectToAddresses } from './connect-checked.ts';

/** Where a connection to a receiver went, whether it was taken there or not. */
const triedAddress = (addresses: readonly string[]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const url = new URL('https://hooks.example.com/in');
    const socket = connectToAddresses({ kind: 'checked', url, addresses });
    socket.on('connect', () => {
      resolve(socket.remoteAddress);
      socket.destroy();
    });
    socket.on('error', (cause) => ('address' in cause ? resolve(cause.address) : reject(cause)));
  });

test('connects to an address that was checked, and does not ask again where the name leads', async () => {
  expect(await triedAddress(['127.0.0.1', '127.0.0.2'])).toBe('127.0.0.1');
});

test('connects to nothing where nothing was checked', async () => {
  await expect(triedAddress([])).rejects.toThrow('Nothing was checked');
});
