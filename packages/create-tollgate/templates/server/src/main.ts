import { closeOnSignal } from 'tollgate';
// #if storage=memory
import { openAccount } from './accounts.ts';
// #endif
import { startServer } from './server.ts';

const server = await startServer(process.env);
// The first SIGTERM or SIGINT lets running requests finish; the second one ends the process at once.
closeOnSignal(server, (code) => process.exit(code));
console.log(`listening on ${server.origin}, gateway at ${server.origin}/api/v1/ai`);
// #if storage=memory

// The data is lost with the process, so that each start needs an account of its own.
const { key } = await openAccount(server.gateway.admin, { name: 'demo', credits: '10' });
console.log(`key ${key}`);
// #endif
