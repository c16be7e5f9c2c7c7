import { createServer } from 'node:http';
import { closeOnSignal, toNodeListener } from 'tollgate';
import { gateway } from './gateway.ts';

const gatewayListener = toNodeListener(gateway.handle);
const server = createServer((request, response) => {
  if (/^\/(api\/v1\/ai\/|healthz$|readyz$)/.test(request.url ?? '')) gatewayListener(request, response);
  else response.end('the other routes');
});
gateway.jobs.start();
server.listen(Number(process.env['PORT'] ?? 3000));

const close = async () => {
  server.close();
  await gateway.close();
};
closeOnSignal({ close }, (code) => process.exit(code));
