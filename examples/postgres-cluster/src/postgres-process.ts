// Keeps a PostgreSQL server, and ends it and deletes its data when the parent process is gone or asks for it.
import { report } from './member.ts';
import { startPostgres } from './start-postgres.ts';

const starting = startPostgres();

let ending: Promise<void> | null = null;
const end = (): void => {
  ending ??= starting.then(
    async ({ stop }) => {
      await stop();
      process.exit(0);
    },
    () => process.exit(1),
  );
};

// The terminal interrupts all processes at once; those that use the server end first.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', end);
process.on('disconnect', end);

const { url, pid } = await starting;
report({ kind: 'ready', address: url, pid });
