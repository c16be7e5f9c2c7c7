import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

const startMsMax = 60_000;
const pauseMs = 100;

export interface StartedHost {
  readonly origin: string;
  /** Sends SIGTERM and returns the exit code, or the signal by which it ended. */
  readonly stop: () => Promise<number | string | null>;
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const isServing = async (origin: string): Promise<boolean> => {
  try {
    await fetch(origin);
    return true;
  } catch {
    return false;
  }
};

const waitUntilServing = async (child: ChildProcess, origin: string, output: () => string): Promise<void> => {
  const untilMs = performance.now() + startMsMax;
  while (!(await isServing(origin))) {
    if (child.exitCode !== null || performance.now() > untilMs) throw new Error(`it does not serve: ${output()}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};

export interface HostCommand {
  readonly command: readonly [file: string, ...args: readonly string[]];
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a program that listens on the port in `PORT`, and waits until it serves. */
export const startHost = async ({ command, folder, env = {} }: HostCommand): Promise<StartedHost> => {
  const port = await freePort();
  const [file, ...args] = command.map((part) => part.replaceAll('$PORT', String(port)));
  if (file === undefined) throw new Error('a host has a command');
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...process.env, PORT: String(port), NEXT_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
  const origin = `http://127.0.0.1:${port}`;
  await waitUntilServing(child, origin, () => output);
  return {
    origin,
    stop: async () => {
      if (child.exitCode !== null) return child.exitCode;
      const exited = new Promise<number | string | null>((resolve) => {
        child.once('exit', (code, signal) => resolve(code ?? signal));
      });
      child.kill('SIGTERM');
      return exited;
    },
  };
};
