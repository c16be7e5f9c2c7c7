// Traces and metrics of one process to an OpenTelemetry collector, by OTLP over HTTP.
import { randomUUID } from 'node:crypto';
import { context, metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { telemetry, type Telemetry } from '@tollgate/telemetry';
import type { RequestHandler } from 'express';

export interface ShopTelemetry {
  readonly observer: Telemetry;
  /** Makes each request of Express a span, below which those of the gateway stand. */
  readonly spans: RequestHandler;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

const metricsEveryMs = 15_000;

/** The variables that the exporters read by themselves. */
export const telemetryVariables = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('OTEL_') && value !== undefined ? [[name, value]] : [],
    ),
  );

/** What a trace of a customer says is not continued: a customer could have everything sampled. */
const requestSpans =
  (): RequestHandler =>
  (request, response, next): void => {
    const attributes = { 'http.request.method': request.method, 'url.path': request.path };
    const span = trace.getTracer('shop').startSpan(request.method, { kind: SpanKind.SERVER, attributes });
    response.once('close', () => {
      span.setAttribute('http.response.status_code', response.statusCode);
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(context.active(), span), next);
  };

/** Null where no collector is named: then nothing is recorded. */
export const openTelemetry = async (): Promise<ShopTelemetry | null> => {
  if (!process.env['OTEL_EXPORTER_OTLP_ENDPOINT']) return null;
  const resource = resourceFromAttributes({
    'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'sell-access',
    'service.instance.id': randomUUID(),
  });
  const traces = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: metricsEveryMs,
  });
  const meters = new MeterProvider({ resource, readers: [reader] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  trace.setGlobalTracerProvider(traces);
  metrics.setGlobalMeterProvider(meters);
  return {
    observer: await telemetry(),
    spans: requestSpans(),
    close: async () => void (await Promise.allSettled([traces.shutdown(), meters.shutdown()])),
  };
};
