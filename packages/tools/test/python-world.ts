import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PythonOutcome } from '../src/python/python-sandbox.ts';

const secret = 'the-secret-of-the-host';

/** A folder with a secret, the same secret among the variables, and a server that counts who connects. */
export const openPythonWorld = () => {
  const cacheFolder = mkdtempSync(path.join(tmpdir(), 'tollgate-python-test-'));
  const secretFile = path.join(cacheFolder, 'secret.txt');
  writeFileSync(secretFile, secret);
  let accepted = 0;
  const tcp = createServer((socket) => {
    accepted += 1;
    socket.destroy();
  });
  return {
    cacheFolder,
    secretFile,
    accepted: () => accepted,
    /** Returns the server's port. */
    start: async (): Promise<number> => {
      process.env['TOLLGATE_TEST_SECRET'] = secret;
      tcp.listen(0, '127.0.0.1');
      await once(tcp, 'listening');
      // A server that listens on a port has an address of this form.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (tcp.address() as AddressInfo).port;
    },
    stop: (): void => {
      tcp.close();
      delete process.env['TOLLGATE_TEST_SECRET'];
      rmSync(cacheFolder, { recursive: true });
    },
  };
};

/** A line of its own tells of a breach; that a traceback quotes the program's text does not. */
export const isHarmless = ({ output, written }: PythonOutcome): boolean =>
  !/^BREACH/mu.test(output) && !output.includes(secret) && written.every(({ path: name }) => !name.includes('..'));
