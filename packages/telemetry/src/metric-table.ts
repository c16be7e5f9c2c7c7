import { genai } from './genai-names.ts';

/** What is measured, and how it is divided. No attribute has a value for each account, project or key. */
export interface MetricSpec {
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly name: string;
  readonly unit: string;
  readonly about: string;
  readonly attributes: readonly string[];
  /** Upper bounds of the buckets of a histogram. */
  readonly bounds?: readonly number[];
}

/** Names of our own attributes. */
export const ours = {
  route: 'tollgate.route',
  status: 'http.response.status_code',
  code: 'tollgate.error.code',
  outcome: 'tollgate.outcome',
  state: 'tollgate.operation.state',
  queue: 'tollgate.queue',
  age: 'tollgate.hold.age',
  deed: 'tollgate.sweep.deed',
} as const;

/** From 10 ms, doubling to 82 s, as the conventions have it. */
const secondsBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/** What a gateway adds is milliseconds. */
const shortSecondsBounds = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5];
/** A delivery may wait for days. */
const longSecondsBounds = [0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200, 43_200, 172_800];
const tokenBounds = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];
const stepBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

const called = [genai.operation, genai.provider, genai.requestModel] as const;

/** Every metric of a gateway. */
export const metricTable = {
  operationSeconds: {
    kind: 'histogram',
    name: genai.durationMetric,
    unit: 's',
    about: 'From the call of a provider to its end',
    attributes: [...called, genai.errorType],
    bounds: secondsBounds,
  },
  firstChunkSeconds: {
    kind: 'histogram',
    name: genai.firstChunkMetric,
    unit: 's',
    about: 'From the call of a provider to the first piece of a stream',
    attributes: called,
    bounds: secondsBounds,
  },
  tokenUsage: {
    kind: 'histogram',
    name: genai.tokenUsageMetric,
    unit: '{token}',
    about: 'Tokens of a settled operation, with the older conventions',
    attributes: [...called, genai.tokenType],
    bounds: tokenBounds,
  },
  tokens: {
    kind: 'counter',
    name: genai.tokensMetric,
    unit: '{token}',
    about: 'Tokens of settled operations, with the newer conventions',
    attributes: [...called, genai.tokenType],
  },
  requestSeconds: {
    kind: 'histogram',
    name: 'tollgate.request.duration',
    unit: 's',
    about: 'From the beginning of a request to the end of its response',
    attributes: [ours.route, ours.status],
    bounds: secondsBounds,
  },
  addedSeconds: {
    kind: 'histogram',
    name: 'tollgate.request.added_latency',
    unit: 's',
    about: 'What of a request was not spent in its provider',
    attributes: [ours.route],
    bounds: shortSecondsBounds,
  },
  refusals: {
    kind: 'counter',
    name: 'tollgate.request.refusals',
    unit: '{request}',
    about: 'Requests that got an error, by its code',
    attributes: [ours.route, ours.code],
  },
  ends: {
    kind: 'counter',
    name: 'tollgate.operation.ends',
    unit: '{operation}',
    about: 'Operations that were settled, failed, became uncertain or wait for balance',
    attributes: [genai.operation, genai.requestModel, ours.outcome],
  },
  credits: {
    kind: 'counter',
    name: 'tollgate.charged.credits',
    unit: '{credit}',
    about: 'Credits debited by this process',
    attributes: [genai.operation, genai.requestModel],
  },
  replays: {
    kind: 'counter',
    name: 'tollgate.operation.replays',
    unit: '{request}',
    about: 'Requests whose response belonged to an operation that was there before',
    attributes: [],
  },
  takeOvers: {
    kind: 'counter',
    name: 'tollgate.operation.take_overs',
    unit: '{operation}',
    about: 'Operations whose lease had run out',
    attributes: [ours.state],
  },
  upstreamSeconds: {
    kind: 'histogram',
    name: 'tollgate.upstream.request.duration',
    unit: 's',
    about: 'One request to an upstream',
    attributes: [genai.provider, ours.outcome],
    bounds: secondsBounds,
  },
  eventLagSeconds: {
    kind: 'histogram',
    name: 'tollgate.outbox.lag',
    unit: 's',
    about: 'The age of an event when it is written out for its receivers',
    attributes: [],
    bounds: longSecondsBounds,
  },
  deliveryLagSeconds: {
    kind: 'histogram',
    name: 'tollgate.delivery.lag',
    unit: 's',
    about: 'The age of a delivery when an attempt ends',
    attributes: [ours.outcome],
    bounds: longSecondsBounds,
  },
  sweepSeconds: {
    kind: 'histogram',
    name: 'tollgate.sweep.duration',
    unit: 's',
    about: 'One sweep of due rows',
    attributes: [],
    bounds: secondsBounds,
  },
  swept: {
    kind: 'counter',
    name: 'tollgate.sweep.operations',
    unit: '{operation}',
    about: 'What sweeps did with operations',
    attributes: [ours.deed],
  },
  jobFailures: {
    kind: 'counter',
    name: 'tollgate.job.failures',
    unit: '{round}',
    about: 'Rounds of a background job that failed',
    attributes: [],
  },
  batchSteps: {
    kind: 'histogram',
    name: 'tollgate.storage.batch.size',
    unit: '{step}',
    about: 'Steps that a storage committed in one transaction',
    attributes: [],
    bounds: stepBounds,
  },
  batchSeconds: {
    kind: 'histogram',
    name: 'tollgate.storage.batch.duration',
    unit: 's',
    about: 'One transaction of a storage',
    attributes: [],
    bounds: shortSecondsBounds,
  },
  queueDepth: {
    kind: 'gauge',
    name: 'tollgate.queue.depth',
    unit: '{item}',
    about: 'What this process holds at the moment',
    attributes: [ours.queue],
  },
  uncertain: {
    kind: 'gauge',
    name: 'tollgate.operation.uncertain',
    unit: '{operation}',
    about: 'Operations of all processes that wait for an operator',
    attributes: [],
  },
  holds: {
    kind: 'gauge',
    name: 'tollgate.holds',
    unit: '{hold}',
    about: 'Holds of all processes, by age',
    attributes: [ours.age],
  },
  heldCredits: {
    kind: 'gauge',
    name: 'tollgate.holds.credits',
    unit: '{credit}',
    about: 'Credits held by all processes, by age',
    attributes: [ours.age],
  },
} as const satisfies Readonly<Record<string, MetricSpec>>;

export type MetricId = keyof typeof metricTable;
export type Attributes = Readonly<Record<string, string | number>>;

/** Metrics that are counted or recorded when something happens. */
export type EventMetricId = {
  [Id in MetricId]: (typeof metricTable)[Id]['kind'] extends 'gauge' ? never : Id;
}[MetricId];
/** Metrics that are read when they are collected. */
export type GaugeId = Exclude<MetricId, EventMetricId>;

/** One value of a gauge. */
export interface GaugeValue {
  readonly metric: GaugeId;
  readonly value: number;
  readonly attributes: Attributes;
}

/** Where values go. */
export interface MetricSink {
  readonly record: (metric: EventMetricId, value: number, attributes: Attributes) => void;
  /** Takes what reads the gauges; it is called at each collection. */
  readonly readGauges: (read: () => Promise<readonly GaugeValue[]>) => void;
}
