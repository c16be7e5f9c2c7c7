import * as api from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

/** The older line: API 1.9 with SDK 2, in memory. */
export const openSdk2 = () => {
  const spans = new InMemorySpanExporter();
  const traces = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  return {
    api,
    tracer: traces.getTracer('test'),
    meter: meters.getMeter('test'),
    spans: () => spans.getFinishedSpans(),
    metrics: async () => {
      await meters.forceFlush();
      return metrics.getMetrics();
    },
    close: async () => {
      await traces.shutdown();
      await meters.shutdown();
    },
  };
};
