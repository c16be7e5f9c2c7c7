import { expectTypeOf, test } from 'vitest';
import type {
  anthropicProvider,
  googleProvider,
  openaiProvider,
  sandboxProvider,
  serve,
  sqliteStorage,
  GatewayOptions,
} from './index.ts';

test('options that are not required take undefined', () => {
  expectTypeOf<{ basePath: undefined; probes: undefined; contextSecret: undefined }>().toExtend<GatewayOptions>();
  expectTypeOf<{ path: string; create: undefined; busyTimeoutMs: undefined }>().toExtend<
    Parameters<typeof sqliteStorage>[0]
  >();
  expectTypeOf<{ baseUrl: string; apiKey: undefined; retry: { attemptsMax: undefined } }>().toExtend<
    Parameters<typeof openaiProvider>[0]
  >();
  expectTypeOf<{ apiKey: string; baseUrl: undefined; retry: { waitMsMax: undefined } }>().toExtend<
    Parameters<typeof anthropicProvider>[0] & Parameters<typeof googleProvider>[0]
  >();
  expectTypeOf<{ name: undefined }>().toExtend<NonNullable<Parameters<typeof sandboxProvider>[0]>>();
  expectTypeOf<{ port: undefined; host: undefined }>().toExtend<NonNullable<Parameters<typeof serve>[1]>>();
});
