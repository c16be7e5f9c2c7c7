import type { Meter, Tracer } from '@opentelemetry/api';
import {
  checkConfiguration,
  flag,
  foreign,
  having,
  oneOf,
  optionsCheck,
  table,
  text,
} from '@tollgate/contract/configuration';
import type { Observer } from '@tollgate/engine';
import type { Conventions } from './genai-names.ts';
import { metricsObserver } from './metrics-observer.ts';
import { otelSink } from './otel-sink.ts';
import { spansObserver } from './spans-observer.ts';
import type { OtelApi } from './spans-options.ts';

export interface TelemetryOptions {
  /** The host's own `@opentelemetry/api`; by default the one that is installed beside this package. */
  readonly api?: OtelApi;
  /** By default one of the tracer provider that the host registered. */
  readonly tracer?: Tracer;
  /** By default one of the meter provider that the host registered. */
  readonly meter?: Meter;
  /** `stable-old` (default) counts tokens in the histogram that dashboards know; `new` in the counters that are to replace it. */
  readonly conventions?: Conventions;
  /** Whether a client's `traceparent` is the parent of its spans. Off by default, as a client could have everything sampled. */
  readonly trustIncoming?: boolean;
  /** Names of providers by the conventions, such as `{ vertex: 'gcp.vertex_ai' }`. */
  readonly providerNames?: Readonly<Record<string, string>>;
}

/** An observer of a gateway, and of the storage that is opened before it. */
export interface Telemetry extends Observer {
  /** For the option `onBatch` of a storage. */
  readonly onBatch: (batch: { readonly steps: number; readonly durationMs: number }) => void;
}

const telemetryCheck = optionsCheck<TelemetryOptions>({
  api: foreign<OtelApi>(),
  tracer: having<Tracer>('startSpan'),
  meter: having<Meter>('createCounter', 'createHistogram', 'createObservableGauge'),
  conventions: oneOf('stable-old', 'new'),
  trustIncoming: flag(),
  providerNames: table(text()),
});

const scope = '@tollgate/telemetry';

const monotonicMs = (): number => performance.now();

/** The API that is installed, or an error that says what to install. Any other failure is passed on. */
const installedApi = async (): Promise<OtelApi> => {
  try {
    return await import('@opentelemetry/api');
  } catch (cause) {
    if (cause instanceof Error && Reflect.get(cause, 'code') === 'ERR_MODULE_NOT_FOUND')
      throw new Error('telemetry() needs @opentelemetry/api, which is not installed: npm install @opentelemetry/api', {
        cause,
      });
    throw cause;
  }
};

/**
 * Spans and metrics of a gateway by OpenTelemetry, in the SDK that the host has registered; without an SDK nothing is recorded.
 * Rejects where `@opentelemetry/api` is neither given nor installed.
 */
export const telemetry = async (options: TelemetryOptions = {}): Promise<Telemetry> => {
  checkConfiguration('telemetry', telemetryCheck, options);
  const { conventions = 'stable-old', trustIncoming = false, providerNames = {} } = options;
  const api = options.api ?? (await installedApi());
  const tracer = options.tracer ?? api.trace.getTracer(scope);
  const sink = otelSink(options.meter ?? api.metrics.getMeter(scope));
  const spans = spansObserver({ api, tracer, trustIncoming, providerNames, monotonicMs });
  const metrics = metricsObserver(sink, { conventions, providerNames, monotonicMs });
  return {
    ...spans,
    ...metrics,
    observe: (event) => {
      spans.observe(event);
      metrics.observe(event);
    },
    onBatch: (batch) => metrics.observe({ kind: 'storage_batch', ...batch }),
  };
};
