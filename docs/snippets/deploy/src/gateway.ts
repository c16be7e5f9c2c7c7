import { closeOnSignal, serve } from 'tollgate';
import { openGateway } from './open-gateway.ts';

const { HOST = '127.0.0.1', PORT = '8787' } = process.env;

const running = await serve(await openGateway(), { host: HOST, port: Number(PORT), drainMs: 25_000 });
closeOnSignal(running, (code) => process.exit(code));
console.log(`listening on ${running.origin}`);
