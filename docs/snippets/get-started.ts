import { closeOnSignal, createGateway, microsFromCredits, serve } from 'tollgate';

const gateway = await createGateway();
const server = await serve(gateway, { port: Number(process.env['PORT'] ?? 8787) });
closeOnSignal(server, (code) => process.exit(code));

const { admin } = gateway;
const account = await admin.createAccount({ name: 'first' });
await admin.deposit({ accountId: account.id, amountMicros: microsFromCredits(100), reference: 'welcome' });
const project = await admin.createProject({ accountId: account.id, name: 'first' });
const key = project && (await admin.createKey({ projectId: project.id, model: 'flash-3.8' }));

console.log(`base ${server.origin}/api/v1/ai`);
console.log(`key  ${key?.key}`);
