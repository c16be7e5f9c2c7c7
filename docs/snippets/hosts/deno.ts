import { closeOnSignal } from 'tollgate';
import { gateway } from './gateway.ts';

gateway.jobs.start();
const server = Deno.serve({ port: Number(Deno.env.get('PORT') ?? 3000) }, (request) =>
  /^\/(api\/v1\/ai\/|healthz$|readyz$)/.test(new URL(request.url).pathname)
    ? gateway.fetch(request)
    : new Response('the other routes'),
);

const close = async () => {
  await gateway.close();
  await server.shutdown();
};
closeOnSignal({ close }, (code) => Deno.exit(code));
