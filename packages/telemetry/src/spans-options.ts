import type * as Otel from '@opentelemetry/api';
import type { Tracer } from '@opentelemetry/api';

/** What is used of `@opentelemetry/api`. */
export type OtelApi = Pick<
  typeof Otel,
  'trace' | 'metrics' | 'context' | 'SpanKind' | 'SpanStatusCode' | 'ROOT_CONTEXT' | 'isSpanContextValid'
>;

export interface SpansOptions {
  readonly api: OtelApi;
  readonly tracer: Tracer;
  /** Whether the `traceparent` of a client is the parent of the span of its request. */
  readonly trustIncoming: boolean;
  readonly providerNames: Readonly<Record<string, string>>;
  readonly monotonicMs: () => number;
}
