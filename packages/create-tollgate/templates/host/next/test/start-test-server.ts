import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { openGateway } from '../src/open-gateway.ts';
import { createTestWorld } from './create-test-world.ts';

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

const next = createRequire(import.meta.url).resolve('next/dist/bin/next');

/** The address that Next prints when it listens. */
const originOf = async (server: ChildProcess): Promise<string> => {
  let printed = '';
  for await (const chunk of server.stdout ?? []) {
    printed += String(chunk);
    const [origin] = /http:\/\/localhost:\d+/.exec(printed) ?? [];
    if (origin !== undefined && printed.includes('Ready')) return origin;
  }
  throw new Error(`Next did not start: ${printed}`);
};

/** Starts the built server on a free port. */
export const startTestServer = async () => {
  const world = await createTestWorld();
  const server = spawn(process.execPath, [next, 'start', '-p', '0'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    env: { ...process.env, ...world.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const origin = await originOf(server);
  server.stdout?.resume();
  // The same database from this process, for what the administration does.
  const gateway = await openGateway(world.environment);
  return {
    origin,
    gateway,
    close: async (): Promise<void> => {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      await gateway.close();
      await world.close();
    },
  };
};
