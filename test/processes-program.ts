// A gateway in several processes on one file of SQLite. Prints a line of JSON for the primary, and one for each member.
// node --conditions=@tollgate/source test/processes-program.ts <database> <processes>
import { createGateway, sandboxProvider, serveProcesses, sqliteStorage } from 'tollgate';

const [, , path = '', processes = '2'] = process.argv;

const serving = await serveProcesses(
  () => createGateway({ storage: sqliteStorage({ path }), provider: sandboxProvider() }),
  {
    port: 0,
    processes: Number(processes),
    restartMs: 10,
    onDeath: ({ member, signal, restartInMs }) =>
      console.log(JSON.stringify({ kind: 'death', member, signal, restartInMs })),
  },
);
console.log(JSON.stringify({ ...serving, pid: process.pid }));
