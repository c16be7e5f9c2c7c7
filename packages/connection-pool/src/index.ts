export { createConnectionPool, type ConnectionPoolOptions } from './connection-pool.ts';
export {
  exchange,
  type OnChunk,
  type WireExchange,
  type WireHeaders,
  type WireOutcome,
  type WireRequest,
} from './exchange.ts';
export type { SentBody } from './sent-body.ts';
