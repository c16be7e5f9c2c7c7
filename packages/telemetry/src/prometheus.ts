import {
  callable,
  checkConfiguration,
  having,
  oneOf,
  optionsCheck,
  table,
  text,
} from '@tollgate/contract/configuration';
import type { Observer } from '@tollgate/engine';
import { Registry } from 'prom-client';
import type { Conventions } from './genai-names.ts';
import { metricsObserver } from './metrics-observer.ts';
import { prometheusSink } from './prometheus-sink.ts';

export interface PrometheusOptions {
  /** Where the metrics are registered; by default a registry of their own. */
  readonly register?: Registry;
  /** As of `telemetry`. */
  readonly conventions?: Conventions;
  readonly providerNames?: Readonly<Record<string, string>>;
  /**
   * Whether a scrape may read the metrics; without it every request may, so mount the handler where only your collector reaches it.
   */
  readonly authorize?: (request: Request) => boolean | Promise<boolean>;
}

/** An observer of a gateway whose metrics are scraped. */
export interface Prometheus extends Observer {
  readonly register: Registry;
  /** Responds to a scrape with the metrics as text. */
  readonly metricsHandler: (request: Request) => Promise<Response>;
  /** For the option `onBatch` of a storage. */
  readonly onBatch: (batch: { readonly steps: number; readonly durationMs: number }) => void;
}

const prometheusCheck = optionsCheck<PrometheusOptions>({
  register: having<Registry>('metrics', 'registerMetric'),
  conventions: oneOf('stable-old', 'new'),
  providerNames: table(text()),
  authorize: callable(),
});

/** Metrics of a gateway by prom-client, without an SDK. */
export const prometheus = (options: PrometheusOptions = {}): Prometheus => {
  checkConfiguration('prometheus', prometheusCheck, options);
  const { register = new Registry(), conventions = 'stable-old', providerNames = {}, authorize } = options;
  const sink = prometheusSink(register);
  const metrics = metricsObserver(sink, { conventions, providerNames, monotonicMs: () => performance.now() });
  return {
    ...metrics,
    register,
    onBatch: (batch) => metrics.observe({ kind: 'storage_batch', ...batch }),
    metricsHandler: async (request) => {
      if (authorize !== undefined && !(await authorize(request))) return new Response(null, { status: 401 });
      await sink.collect();
      return new Response(await register.metrics(), { headers: { 'content-type': register.contentType } });
    },
  };
};
