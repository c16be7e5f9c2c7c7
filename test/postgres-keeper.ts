// A process of its own that keeps one PostgreSQL server for its parent process. It says its port on standard output, starts
// the server when a client first connects, responds to each connection with one line of JSON, and ends, server and data
// included, when its standard input closes: however its parent dies, nothing is left behind.
import { createServer } from 'node:net';
import { startPostgresProcess, type PostgresProcess } from './postgres-process.ts';

const settings: unknown = JSON.parse(process.argv[2] ?? '[]');
const extraSettings = Array.isArray(settings) ? settings.filter((one) => typeof one === 'string') : [];

let starting: Promise<PostgresProcess> | undefined;

const server = createServer((socket) => {
  socket.on('error', () => undefined);
  starting ??= startPostgresProcess(extraSettings);
  starting.then(
    ({ url, pid, folder }) => socket.end(`${JSON.stringify({ url, pid: pid(), folder })}\n`),
    (cause: unknown) => socket.end(`${JSON.stringify({ error: String(cause) })}\n`),
  );
});

const end = async (): Promise<never> => {
  server.close();
  const postgres = await starting?.catch(() => undefined);
  await postgres?.stop();
  process.exit(0);
};

// The parent's terminal may interrupt the whole group; only the parent's end counts.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('SIGTERM', () => void end());
process.stdin.on('end', () => void end());
process.stdin.on('error', () => void end());
process.stdin.resume();

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.stdout.write(`${address.port}\n`);
});
