import { closeOnSignal, createGateway, serve } from 'tollgate';

const { PORT = '8787' } = process.env;
const gateway = await createGateway({
  compatibility: { openai: true, anthropic: true, google: true },
});
const server = await serve(gateway, { port: Number(PORT) });
closeOnSignal(server, (code) => process.exit(code));
console.log(`OPENAI_BASE_URL=${server.origin}/api/v1/ai`);
