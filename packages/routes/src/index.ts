export { BodyStopped } from './body-stopped.ts';
export { createContextSeal, type ContextSeal, type ToolContexts } from './chat/context-seal.ts';
export { createHandler, type GatewayHandler } from './create-handler.ts';
export { createModels, type ModelsOptions } from './create-models.ts';
export type { EventFeed, FeedSink, FeedTap } from './event-feed.ts';
export type { BodyRead, GatewayRequest, GatewayResponse } from './gateway-request.ts';
export type { RateLimiter, RateQuestion } from './rate-limiter.ts';
export type { Compatibility, Models, Service } from './service.ts';
export { toFetch } from './to-fetch.ts';
