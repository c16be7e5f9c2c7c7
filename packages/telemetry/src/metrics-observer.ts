import type { ObservedEvent, Observer } from '@tollgate/engine';
import { createBoundedMap, type BoundedMap } from './bounded-map.ts';
import { genai, operationName, providerName, type Conventions } from './genai-names.ts';
import { gaugeValues } from './gauge-values.ts';
import { ours, type Attributes, type MetricSink } from './metric-table.ts';
import { tokenSums } from './token-sums.ts';

export interface MetricsOptions {
  readonly conventions: Conventions;
  /** Names of providers by the conventions, beside those that are known. */
  readonly providerNames: Readonly<Record<string, string>>;
  readonly monotonicMs: () => number;
}

interface Requested {
  route: string;
  upstreamMs: number | null;
}

interface Operating {
  readonly operation: string;
  readonly model: string;
  readonly request: Requested | undefined;
  provider: string;
  startedMs: number;
}

const noRoute = 'none';
const microsPerCredit = 1_000_000;

type Of<Kind extends ObservedEvent['kind']> = Extract<ObservedEvent, { readonly kind: Kind }>;

const calledOf = ({ operation, provider, model }: Operating): Attributes => ({
  [genai.operation]: operation,
  [genai.provider]: provider,
  [genai.requestModel]: model,
});

/** Requests, from their beginning to the end of their responses. */
const createRequests = (sink: MetricSink) => {
  const requests = createBoundedMap<Requested>();
  return {
    find: (requestId: string | null): Requested | undefined =>
      requestId === null ? undefined : requests.get(requestId),
    observe: (event: ObservedEvent): void => {
      if (event.kind === 'request_started') requests.set(event.requestId, { route: noRoute, upstreamMs: null });
      else if (event.kind === 'request_admitted') {
        const request = requests.get(event.requestId);
        if (request !== undefined) request.route = event.route;
      } else if (event.kind === 'request_refused')
        sink.record('refusals', 1, {
          [ours.route]: requests.get(event.requestId)?.route ?? noRoute,
          [ours.code]: event.code,
        });
      else if (event.kind === 'request_ended') {
        const { route, upstreamMs } = requests.take(event.requestId) ?? { route: noRoute, upstreamMs: null };
        sink.record('requestSeconds', event.durationMs / 1_000, { [ours.route]: route, [ours.status]: event.status });
        if (upstreamMs !== null)
          sink.record('addedSeconds', Math.max(0, event.durationMs - upstreamMs) / 1_000, { [ours.route]: route });
      }
    },
  };
};

const recordTokens = (
  sink: MetricSink,
  conventions: Conventions,
  called: Attributes,
  usage: Parameters<typeof tokenSums>[0],
) => {
  const { input, output } = tokenSums(usage);
  const metric = conventions === 'new' ? 'tokens' : 'tokenUsage';
  if (input > 0) sink.record(metric, input, { ...called, [genai.tokenType]: 'input' });
  if (output > 0) sink.record(metric, output, { ...called, [genai.tokenType]: 'output' });
};

const recordEnd = (
  sink: MetricSink,
  conventions: Conventions,
  operating: Operating | undefined,
  { operation, end }: Of<'operation_ended'>,
): void => {
  const ran = {
    [genai.operation]: operation === null ? 'unknown' : operationName(operation.kind),
    [genai.requestModel]: operation?.model ?? 'unknown',
  };
  sink.record('ends', 1, { ...ran, [ours.outcome]: end.kind });
  if (end.kind !== 'settled') return;
  const called = operating === undefined ? { ...ran, [genai.provider]: 'unknown' } : calledOf(operating);
  recordTokens(sink, conventions, called, end.usage);
  sink.record('credits', Number(end.chargedMicros) / microsPerCredit, ran);
};

/** A turn of work says which provider it is that has the tokens of the operation. */
const noteTurn = (
  operations: BoundedMap<Operating>,
  providerNames: MetricsOptions['providerNames'],
  { operation: { id, kind, model }, provider }: Of<'turn_started'>,
): void => {
  const known = operations.get(id) ?? { operation: operationName(kind), model, request: undefined, startedMs: 0 };
  operations.set(id, { ...known, provider: providerName(provider, providerNames) });
};

/** Operations that this process runs. */
const createOperations = (
  sink: MetricSink,
  { conventions, providerNames, monotonicMs }: MetricsOptions,
  findRequest: (requestId: string | null) => Requested | undefined,
) => {
  const operations = createBoundedMap<Operating>();
  const secondsSince = (ms: number): number => (monotonicMs() - ms) / 1_000;
  const executed = ({ operationId, outcome, durationMs }: Of<'execution_ended'>): void => {
    const operating = operations.get(operationId);
    if (operating === undefined) return;
    if (operating.request !== undefined) operating.request.upstreamMs = durationMs;
    const called = calledOf(operating);
    const failed = outcome === 'answered' ? called : { ...called, [genai.errorType]: outcome };
    sink.record('operationSeconds', durationMs / 1_000, failed);
  };
  return (event: ObservedEvent): void => {
    if (event.kind === 'operation_opened') {
      const { id, kind, model } = event.operation;
      const request = findRequest(event.requestId);
      operations.set(id, { operation: operationName(kind), model, request, provider: 'unknown', startedMs: 0 });
    } else if (event.kind === 'operation_replayed') sink.record('replays', 1, {});
    else if (event.kind === 'execution_started') {
      const operating = operations.get(event.operationId);
      if (operating === undefined) return;
      operating.provider = providerName(event.provider, providerNames);
      operating.startedMs = monotonicMs();
    } else if (event.kind === 'turn_started') noteTurn(operations, providerNames, event);
    else if (event.kind === 'stream_begun') {
      const operating = operations.get(event.operationId);
      if (operating !== undefined)
        sink.record('firstChunkSeconds', secondsSince(operating.startedMs), calledOf(operating));
    } else if (event.kind === 'execution_ended') executed(event);
    else if (event.kind === 'operation_ended') recordEnd(sink, conventions, operations.take(event.operationId), event);
  };
};

/** What happens beside requests. */
const observeJobs = (sink: MetricSink, providerNames: MetricsOptions['providerNames'], event: ObservedEvent): void => {
  if (event.kind === 'upstream_attempt')
    sink.record('upstreamSeconds', event.durationMs / 1_000, {
      [genai.provider]: providerName(event.provider, providerNames),
      [ours.outcome]: event.outcome,
    });
  else if (event.kind === 'taken_over') sink.record('takeOvers', 1, { [ours.state]: event.state });
  else if (event.kind === 'event_due') sink.record('eventLagSeconds', event.lagMs / 1_000, {});
  else if (event.kind === 'delivery')
    sink.record('deliveryLagSeconds', event.lagMs / 1_000, { [ours.outcome]: event.outcome });
  else if (event.kind === 'job_failed') sink.record('jobFailures', 1, {});
  else if (event.kind === 'storage_batch') {
    sink.record('batchSteps', event.steps, {});
    sink.record('batchSeconds', event.durationMs / 1_000, {});
  } else if (event.kind === 'swept') {
    const { durationMs, markedUncertain, resumed, settled, purged } = event;
    sink.record('sweepSeconds', durationMs / 1_000, {});
    for (const [deed, count] of Object.entries({ markedUncertain, resumed, settled, purged }))
      if (count > 0) sink.record('swept', count, { [ours.deed]: deed });
  }
};

/** Turns what happens in a gateway into metrics. */
export const metricsObserver = (sink: MetricSink, options: MetricsOptions): Observer => {
  const requests = createRequests(sink);
  const observeOperations = createOperations(sink, options, requests.find);
  return {
    observe: (event) => {
      requests.observe(event);
      observeOperations(event);
      observeJobs(sink, options.providerNames, event);
    },
    watch: (view) => sink.readGauges(() => gaugeValues(view)),
  };
};
