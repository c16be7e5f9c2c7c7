import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { metricTable, type Attributes, type GaugeValue, type MetricSink, type MetricSpec } from './metric-table.ts';

const specs: readonly (readonly [string, MetricSpec])[] = Object.entries(metricTable);

const suffixOf = ({ kind, unit, name }: MetricSpec): string => {
  if (kind === 'counter') return '_total';
  return unit === 's' && !name.endsWith('seconds') ? '_seconds' : '';
};

/** The name of a metric in the text of a scrape. */
const prometheusName = (spec: MetricSpec): string => `${spec.name.replaceAll('.', '_')}${suffixOf(spec)}`;

const labelOf = (attribute: string): string => attribute.replaceAll('.', '_');

const labelsOf = (attributes: Attributes): Record<string, string | number> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [labelOf(name), value]));

type Recorder = (value: number, attributes: Attributes) => void;

const configurationOf = (register: Registry, spec: MetricSpec) => ({
  name: prometheusName(spec),
  help: spec.about,
  labelNames: spec.attributes.map(labelOf),
  registers: [register],
});

const recorderOf = (register: Registry, spec: MetricSpec): Recorder => {
  const configuration = configurationOf(register, spec);
  if (spec.kind === 'counter') {
    const counter = new Counter(configuration);
    return (value, attributes) => counter.inc(labelsOf(attributes), value);
  }
  const histogram = new Histogram({ ...configuration, buckets: [...(spec.bounds ?? [])] });
  return (value, attributes) => histogram.observe(labelsOf(attributes), value);
};

export interface PrometheusSink extends MetricSink {
  /** Reads the gauges, before a scrape is answered. */
  readonly collect: () => Promise<void>;
}

/** Before a gateway is assembled. */
const noGauges = async (): Promise<readonly GaugeValue[]> => [];

/** Metrics in a registry of prom-client. */
export const prometheusSink = (register: Registry): PrometheusSink => {
  const recorders = new Map(
    specs.filter(([, { kind }]) => kind !== 'gauge').map(([id, spec]) => [id, recorderOf(register, spec)] as const),
  );
  const gauges = new Map(
    specs
      .filter(([, { kind }]) => kind === 'gauge')
      .map(([id, spec]) => [id, new Gauge(configurationOf(register, spec))] as const),
  );
  let read = noGauges;
  return {
    record: (metric, value, attributes) => recorders.get(metric)?.(value, attributes),
    readGauges: (reader) => {
      read = reader;
    },
    collect: async () => {
      const values = await read();
      // What a storage no longer tells must not stand as it was.
      for (const gauge of gauges.values()) gauge.reset();
      for (const { metric, value, attributes } of values) gauges.get(metric)?.set(labelsOf(attributes), value);
    },
  };
};
