// An Express application that has routes of its own and mounts a gateway beside them.
import { startServer } from './start-server.ts';

const started = await startServer({
  port: Number(process.env['PORT'] ?? '3000'),
  database: process.env['TOLLGATE_DB'] ?? './tollgate-data/express.db',
});

let stopping = false;
const stop = (): void => {
  // The second signal does not wait.
  if (stopping) process.exit(1);
  stopping = true;
  started.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
};
process.on('SIGTERM', stop).on('SIGINT', stop);

console.log(`listening on ${started.origin}, gateway at ${started.origin}/api/v1/ai`);
