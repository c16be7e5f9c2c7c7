import * as api from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

/** The newer line: API 1.10 with SDK 3, in memory. */
export const openSdk3 = () => {
  const spans = new InMemorySpanExporter();
  const traces = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
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
