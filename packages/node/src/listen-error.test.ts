import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { serve, type Servable } from './serve.ts';

const gateway: Servable = {
  handle: () => Promise.reject(new Error('no request is sent')),
  jobs: { start: () => undefined },
  close: () => Promise.resolve(),
};

test('says what to do where the port is taken, and keeps the code', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    await expect(serve(gateway, { port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `Cannot listen on 127.0.0.1, port ${port}: another process listens there: end it, or serve on another port than ${port} (0 takes any that is free)`,
    });
  } finally {
    other.close();
  }
});

test('says what to do where the machine does not have the address', async () => {
  await expect(serve(gateway, { port: 0, host: '192.0.2.1' })).rejects.toMatchObject({
    code: 'EADDRNOTAVAIL',
    message: 'Cannot listen on 192.0.2.1, port 0: this machine does not have that address: give another host',
  });
});
