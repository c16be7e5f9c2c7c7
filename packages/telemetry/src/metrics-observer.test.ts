import type { GatewayView, ObservedEvent, ObservedOperation } from '@tollgate/engine';
import { expect, test } from 'vitest';
import { metricTable, type Attributes, type GaugeValue, type MetricSink, type MetricSpec } from './metric-table.ts';
import { metricsObserver, type MetricsOptions } from './metrics-observer.ts';

type Recorded = readonly [metric: string, value: number, attributes: Attributes];

const open = (options: Partial<MetricsOptions> = {}) => {
  const recorded: Recorded[] = [];
  let nowMs = 1_000;
  let readGauges: Parameters<MetricSink['readGauges']>[0] | null = null;
  const sink: MetricSink = {
    record: (metric, value, attributes) => void recorded.push([metric, value, attributes]),
    readGauges: (read) => {
      readGauges = read;
    },
  };
  const observer = metricsObserver(sink, {
    conventions: 'stable-old',
    providerNames: {},
    monotonicMs: () => nowMs,
    ...options,
  });
  return {
    observe: (...events: readonly ObservedEvent[]) => events.forEach((event) => observer.observe(event)),
    watch: (view: GatewayView) => observer.watch?.(view),
    wait: (ms: number) => {
      nowMs += ms;
    },
    of: (metric: string) =>
      recorded.filter(([name]) => name === metric).map(([, value, attributes]) => [value, attributes]),
    recorded: (): readonly (readonly [string, Attributes])[] =>
      recorded.map(([name, , attributes]) => [name, attributes]),
    gauges: async (): Promise<readonly GaugeValue[]> => (await readGauges?.()) ?? [],
  };
};

const operation: ObservedOperation = {
  id: 'o1',
  kind: 'generate',
  model: 'flash',
  caller: { accountId: 'a1', projectId: 'p1', keyId: 'k1' },
  holdMicros: 5n,
  createdAtMs: 0,
  trace: null,
};

const ran = { 'gen_ai.operation.name': 'generate_content', 'gen_ai.request.model': 'flash' };
const called = { ...ran, 'gen_ai.provider.name': 'gcp.gemini' };
const route = { 'tollgate.route': 'generateContent' };

const begun: readonly ObservedEvent[] = [
  { kind: 'request_started', requestId: 'r1', method: 'POST', header: () => null },
  { kind: 'request_admitted', requestId: 'r1', route: 'generateContent', caller: operation.caller },
  { kind: 'operation_opened', operation, requestId: 'r1' },
  { kind: 'execution_started', operationId: 'o1', provider: 'google' },
];

const executed: ObservedEvent = {
  kind: 'execution_ended',
  operationId: 'o1',
  provider: 'google',
  durationMs: 900,
  outcome: 'answered',
  usage: [],
};

const settled: ObservedEvent = {
  kind: 'operation_ended',
  operation,
  operationId: 'o1',
  end: {
    kind: 'settled',
    chargedMicros: 1_250_000n,
    usage: [
      { unit: 'input_text_tokens', quantity: 30 },
      { unit: 'cached_text_tokens', quantity: 12 },
      { unit: 'output_text_tokens', quantity: 7 },
      { unit: 'thought_tokens', quantity: 2 },
    ],
  },
};

const answered = (durationMs: number): ObservedEvent => ({
  kind: 'request_ended',
  requestId: 'r1',
  shownId: 'o1',
  method: 'POST',
  status: 200,
  durationMs,
  isStream: true,
});

test('a call is timed by its provider, its first piece, its request, and what the gateway added', () => {
  const { observe, of, wait } = open();
  observe(...begun);
  wait(250);
  observe({ kind: 'stream_begun', operationId: 'o1' }, executed, settled, answered(930));
  expect(of('operationSeconds')).toEqual([[0.9, called]]);
  expect(of('firstChunkSeconds')).toEqual([[0.25, called]]);
  expect(of('requestSeconds')).toEqual([[0.93, { ...route, 'http.response.status_code': 200 }]]);
  expect(of('addedSeconds')).toEqual([[expect.closeTo(0.03, 9), route]]);
});

test('a settlement counts its credits and its tokens, cached ones as input and reasoning as output', () => {
  const { observe, of } = open();
  observe(...begun, executed, settled);
  expect(of('ends')).toEqual([[1, { ...ran, 'tollgate.outcome': 'settled' }]]);
  expect(of('credits')).toEqual([[1.25, ran]]);
  expect(of('tokenUsage')).toEqual([
    [42, { ...called, 'gen_ai.token.type': 'input' }],
    [9, { ...called, 'gen_ai.token.type': 'output' }],
  ]);
  expect(of('tokens')).toEqual([]);
});

test('tokens of work in the background are of the provider of its turns', () => {
  const { observe, of } = open({ conventions: 'new' });
  observe({ kind: 'turn_started', operation, provider: 'google', turnId: 't1' }, settled);
  expect(of('tokens')).toEqual([
    [42, { ...called, 'gen_ai.token.type': 'input' }],
    [9, { ...called, 'gen_ai.token.type': 'output' }],
  ]);
});

test('what fails is counted by its cause, and adds no credits', () => {
  const { observe, of } = open();
  observe(
    ...begun,
    { ...executed, outcome: 'not_executed' },
    { kind: 'operation_ended', operation, operationId: 'o1', end: { kind: 'failed', code: 'rate_limited' } },
    { kind: 'request_refused', requestId: 'r1', code: 'rate_limited' },
    { kind: 'request_started', requestId: 'r2', method: 'GET', header: () => null },
    { kind: 'request_refused', requestId: 'r2', code: 'invalid_api_key' },
  );
  expect(of('operationSeconds')).toEqual([[0.9, { ...called, 'error.type': 'not_executed' }]]);
  expect(of('ends')).toEqual([[1, { ...ran, 'tollgate.outcome': 'failed' }]]);
  expect(of('refusals')).toEqual([
    [1, { ...route, 'tollgate.error.code': 'rate_limited' }],
    [1, { 'tollgate.route': 'none', 'tollgate.error.code': 'invalid_api_key' }],
  ]);
  expect(of('credits')).toEqual([]);
});

const beside: readonly ObservedEvent[] = [
  { kind: 'operation_replayed', operationId: 'o1', requestId: 'r2' },
  { kind: 'taken_over', operationId: 'o1', state: 'processing' },
  { kind: 'upstream_attempt', operationId: 'o1', provider: 'google', status: 429, outcome: 'refused', durationMs: 40 },
  { kind: 'event_due', lagMs: 1_500 },
  { kind: 'delivery', deliveryId: 'd1', outcome: 'postponed', lagMs: 61_000, attempts: 2 },
  { kind: 'swept', durationMs: 20, markedUncertain: 1, resumed: 0, settled: 2, purged: 3, more: false },
  { kind: 'job_failed' },
  { kind: 'storage_batch', steps: 17, durationMs: 4 },
];

test('what happens beside requests has its value, its age and its cause', () => {
  const { observe, of } = open();
  observe(...beside);
  expect(of('replays')).toEqual([[1, {}]]);
  expect(of('takeOvers')).toEqual([[1, { 'tollgate.operation.state': 'processing' }]]);
  expect(of('upstreamSeconds')).toEqual([
    [0.04, { 'gen_ai.provider.name': 'gcp.gemini', 'tollgate.outcome': 'refused' }],
  ]);
  expect(of('eventLagSeconds')).toEqual([[1.5, {}]]);
  expect(of('deliveryLagSeconds')).toEqual([[61, { 'tollgate.outcome': 'postponed' }]]);
  expect(of('sweepSeconds')).toEqual([[0.02, {}]]);
  expect(of('swept')).toEqual([
    [1, { 'tollgate.sweep.deed': 'markedUncertain' }],
    [2, { 'tollgate.sweep.deed': 'settled' }],
    [3, { 'tollgate.sweep.deed': 'purged' }],
  ]);
  expect(of('jobFailures')).toEqual([[1, {}]]);
  expect(of('batchSteps')).toEqual([[17, {}]]);
  expect(of('batchSeconds')).toEqual([[0.004, {}]]);
});

const queues = {
  running: 1,
  working: 2,
  backgroundTasks: 3,
  delivering: 4,
  bodiesWaiting: 5,
  requests: 6,
  liveSessions: 7,
};

test('gauges show each queue, and what is held and uncertain by age', async () => {
  const { watch, gauges } = open();
  const holds = [
    { ageSecondsMax: 60, count: 2, heldMicros: 1_500_000n },
    { ageSecondsMax: null, count: 1, heldMicros: 250_000n },
  ];
  watch({ gauges: () => queues, stored: () => Promise.resolve({ uncertain: 3, holds, isWhole: true }) });
  expect(await gauges()).toEqual([
    ...Object.entries(queues).map(([queue, value]) => ({
      metric: 'queueDepth',
      value,
      attributes: { 'tollgate.queue': queue },
    })),
    { metric: 'uncertain', value: 3, attributes: {} },
    { metric: 'holds', value: 2, attributes: { 'tollgate.hold.age': 'under 60 s' } },
    { metric: 'heldCredits', value: 1.5, attributes: { 'tollgate.hold.age': 'under 60 s' } },
    { metric: 'holds', value: 1, attributes: { 'tollgate.hold.age': 'older' } },
    { metric: 'heldCredits', value: 0.25, attributes: { 'tollgate.hold.age': 'older' } },
  ]);
});

test('what the storage does not tell in time is left out of the gauges', async () => {
  const { watch, gauges } = open();
  watch({ gauges: () => queues, stored: () => Promise.resolve(null) });
  expect(await gauges()).toHaveLength(Object.keys(queues).length);
});

test('every metric of the table is recorded by some event, with the attributes of the table', async () => {
  const worlds = [open(), open({ conventions: 'new' })];
  const specs = new Map<string, MetricSpec>(Object.entries(metricTable));
  const seen = new Set<string>();
  for (const { observe, watch, recorded, gauges, wait } of worlds) {
    observe(...begun);
    wait(1);
    observe({ kind: 'stream_begun', operationId: 'o1' }, executed, settled, ...beside);
    observe({ kind: 'request_refused', requestId: 'r1', code: 'rate_limited' }, answered(930));
    const holds = [{ ageSecondsMax: 60, count: 1, heldMicros: 1n }];
    watch({ gauges: () => queues, stored: () => Promise.resolve({ uncertain: 0, holds, isWhole: true }) });
    const gauged = (await gauges()).map(({ metric, attributes }) => [metric, attributes] as const);
    for (const [name, attributes] of [...recorded(), ...gauged]) {
      seen.add(name);
      expect(specs.get(name)?.attributes).toEqual(expect.arrayContaining(Object.keys(attributes)));
    }
  }
  expect(seen).toEqual(new Set(Object.keys(metricTable)));
});
