import { closeOnSignal, createGateway, serve } from 'tollgate';

const gateway = await createGateway({
  compatibility: { openai: true, anthropic: true, google: true },
});
const server = await serve(gateway, { port: Number(process.env['PORT'] ?? 8787) });
closeOnSignal(server, (code) => process.exit(code));
console.log(`OPENAI_BASE_URL=${server.origin}/api/v1/ai`);
