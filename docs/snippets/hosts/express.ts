import express from 'express';
import { closeOnSignal, toNodeListener } from 'tollgate';
import { gateway } from './gateway.ts';

const app = express();
// Before every body parser: the gateway reads the bytes itself.
app.use(['/api/v1/ai', '/healthz', '/readyz'], toNodeListener(gateway.handle));
app.use(express.json());
app.get('/health', (_request, response) => void response.json({ status: 'ok' }));
app.post('/notes', (request, response) => void response.json(request.body));

gateway.jobs.start();
const server = app.listen(Number(process.env['PORT'] ?? 3000));

const close = async () => {
  server.close();
  await gateway.close();
};
closeOnSignal({ close }, (code) => process.exit(code));
