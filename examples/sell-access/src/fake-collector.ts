// An OpenTelemetry collector for tries: it takes what exporters send by OTLP over HTTP in JSON, and shows what came.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/** What a collector knows of a span. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly service: unknown;
}

/** The latest value of a counter. */
export interface ReceivedPoint {
  readonly name: string;
  readonly value: number;
  readonly instance: unknown;
}

export interface FakeCollector {
  readonly origin: string;
  readonly spans: readonly ReceivedSpan[];
  /** Of each counter the latest value of each process and set of attributes. */
  readonly counters: () => readonly ReceivedPoint[];
  readonly close: () => Promise<void>;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Resource {
  readonly attributes: readonly KeyValue[];
}

/** The request messages of OTLP 1, as far as they are read, in the JSON mapping of protobuf: whole numbers of 64 bits are texts. */
interface TracesData {
  readonly resourceSpans: readonly {
    readonly resource: Resource;
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly attributes: readonly KeyValue[];
      }[];
    }[];
  }[];
}

interface MetricsData {
  readonly resourceMetrics: readonly {
    readonly resource: Resource;
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly sum?: {
          readonly dataPoints: readonly {
            readonly attributes: readonly KeyValue[];
            readonly asDouble?: number;
            readonly asInt?: string | number;
          }[];
        };
      }[];
    }[];
  }[];
}

const attributesOf = (list: readonly KeyValue[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    list.map(({ key, value }) => [key, 'intValue' in value ? Number(value['intValue']) : Object.values(value)[0]]),
  );

const spansOf = ({ resourceSpans }: TracesData): readonly ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, attributes }) => ({
        name,
        traceId,
        spanId,
        parentSpanId: parentSpanId || null,
        attributes: attributesOf(attributes),
        service: attributesOf(resource.attributes)['service.name'],
      })),
    ),
  );

const notePoints = (latest: Map<string, ReceivedPoint>, { resourceMetrics }: MetricsData): void => {
  for (const { resource, scopeMetrics } of resourceMetrics) {
    const instance = attributesOf(resource.attributes)['service.instance.id'];
    for (const { name, sum } of scopeMetrics.flatMap(({ metrics }) => metrics))
      for (const { attributes, asDouble, asInt } of sum?.dataPoints ?? []) {
        const value = Number(asDouble ?? asInt);
        latest.set(JSON.stringify([instance, name, attributesOf(attributes)]), { name, value, instance });
      }
  }
};

/** Takes one request; returns the status. */
const take = async (
  request: IncomingMessage,
  spans: ReceivedSpan[],
  latest: Map<string, ReceivedPoint>,
): Promise<number> => {
  if (request.method !== 'POST') return 405;
  // A collector takes protobuf as well, which these exporters do not send.
  if (request.headers['content-type'] !== 'application/json') return 415;
  const body = await json(request);
  // The exporters of OpenTelemetry send nothing else to these paths; the check reads what it is about.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (request.url === '/v1/traces') spans.push(...spansOf(body as TracesData));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  else if (request.url === '/v1/metrics') notePoints(latest, body as MetricsData);
  else return 404;
  return 200;
};

export const startFakeCollector = async (): Promise<FakeCollector> => {
  const spans: ReceivedSpan[] = [];
  const latest = new Map<string, ReceivedPoint>();
  const server = createServer((request, response) => {
    take(request, spans, latest).then(
      (status) => response.writeHead(status, { 'content-type': 'application/json' }).end('{}'),
      () => response.writeHead(400).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    spans,
    counters: () => [...latest.values()],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
