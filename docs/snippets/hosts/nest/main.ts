import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { closeOnSignal, createGateway, toNodeListener } from 'tollgate';
import { AppModule } from './app.module.js';

const start = async () => {
  const gateway = await createGateway({ compatibility: { openai: true }, probes: true });
  const app = await NestFactory.create(AppModule);
  // Nest adds its body parser in `listen`; the gateway comes first, and reads the bytes itself.
  app.use(['/api/v1/ai', '/healthz', '/readyz'], toNodeListener(gateway.handle));

  gateway.jobs.start();
  await app.listen(Number(process.env['PORT'] ?? 3000));

  const close = async () => {
    await gateway.close();
    // A client that has sent half a request must not hold up the end.
    setTimeout(() => app.getHttpServer().closeAllConnections(), 1_000).unref();
    await app.close();
  };
  closeOnSignal({ close }, (code) => process.exit(code));
};
void start();
