import type { SpanContext } from '@opentelemetry/api';

const pattern = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/u;
const nothing = /^0+$/u;
const sampledBit = 1;

/** A span as the header `traceparent` of W3C Trace Context names it. */
export const toTraceParent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & sampledBit).toString(16).padStart(2, '0')}`;

/** The span that a `traceparent` names; null where it names none. */
export const fromTraceParent = (text: string | null): SpanContext | null => {
  const [, traceId = '', spanId = '', flags = ''] = pattern.exec(text ?? '') ?? [];
  if (traceId === '' || nothing.test(traceId) || nothing.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & sampledBit, isRemote: true };
};
