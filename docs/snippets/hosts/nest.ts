import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { toNodeListener } from 'tollgate';
import { gateway } from './gateway.ts';

class AppModule {
  /** Nest calls it on SIGTERM, before it closes its server. */
  async beforeApplicationShutdown() {
    await gateway.close();
  }
}
Module({})(AppModule);

// Nest mounts its body parser when it starts; what is mounted before that comes first.
const app = await NestFactory.create(AppModule);
app.use('/api/v1/ai', toNodeListener(gateway.handle));
app.enableShutdownHooks();

gateway.jobs.start();
await app.listen(Number(process.env['PORT'] ?? 3000));
