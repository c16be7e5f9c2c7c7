import type { Meter } from '@opentelemetry/api';
import {
  metricTable,
  type Attributes,
  type EventMetricId,
  type GaugeId,
  type MetricSink,
  type MetricSpec,
} from './metric-table.ts';

const specs: readonly (readonly [string, MetricSpec])[] = Object.entries(metricTable);

type Record = (value: number, attributes: Attributes) => void;

const recorderOf = (meter: Meter, { kind, name, unit, about: description, bounds }: MetricSpec): Record => {
  if (kind === 'counter') {
    const counter = meter.createCounter(name, { unit, description });
    return (value, attributes) => counter.add(value, attributes);
  }
  const advice = bounds === undefined ? {} : { advice: { explicitBucketBoundaries: [...bounds] } };
  const histogram = meter.createHistogram(name, { unit, description, ...advice });
  return (value, attributes) => histogram.record(value, attributes);
};

/** Metrics on a meter of OpenTelemetry. Gauges are read by the SDK at each collection. */
export const otelSink = (meter: Meter): MetricSink => {
  const recorders = new Map(
    specs.filter(([, { kind }]) => kind !== 'gauge').map(([id, spec]) => [id, recorderOf(meter, spec)] as const),
  );
  return {
    record: (metric: EventMetricId, value, attributes) => recorders.get(metric)?.(value, attributes),
    readGauges: (read) => {
      const gauges = new Map(
        specs
          .filter(([, { kind }]) => kind === 'gauge')
          .map(
            ([id, { name, unit, about: description }]) =>
              [id, meter.createObservableGauge(name, { unit, description })] as const,
          ),
      );
      meter.addBatchObservableCallback(
        async (result) => {
          for (const { metric, value, attributes } of await read()) {
            const gauge = gauges.get(metric satisfies GaugeId);
            if (gauge !== undefined) result.observe(gauge, value, attributes);
          }
        },
        [...gauges.values()],
      );
    },
  };
};
