import { telemetry } from '@tollgate/telemetry';
import { createOwnGateway, greeting } from '../gateway/served-gateway.ts';
import { openSdk2 } from './sdk.ts';

// Runs in a process of its own: the modules of this line name files without their endings, which the test runner does not find.
const sdk = openSdk2();
const { api, tracer, meter } = sdk;
// The types of the two lines differ in what is not used here; a host has one of them installed.
const line = { api, tracer, meter } as never;
const observer = await telemetry(Object.assign({ trustIncoming: true }, line));
const own = await createOwnGateway({ observed: { observers: [observer] } });
const wide = await own.gateway.admin.createKey({ projectId: own.projectId, model: null });

const send = (path: string, body: unknown): Promise<Response> =>
  own.gateway.fetch(
    new Request(`http://gateway.test/api/v1/ai${path}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: {
        authorization: `Bearer ${wide?.key ?? ''}`,
        'content-type': 'application/json',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      },
    }),
  );

await send('/chat/completions', greeting);
await send('/interactions', { model: 'flash-2.5', input: 'Hello' });
for (let round = 0; round < 20; round += 1) await own.gateway.jobs.runDue();
const spans = sdk.spans().map((span) => ({
  name: span.name,
  kind: span.kind,
  attributes: span.attributes,
  links: span.links.map(({ context }) => ({ traceId: context.traceId, spanId: context.spanId })),
  parent: span.parentSpanContext?.spanId ?? null,
  traceId: span.spanContext().traceId,
  spanId: span.spanContext().spanId,
}));
const metrics = (await sdk.metrics()).at(-1)?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
await own.gateway.close({ drainMs: 0 });
await sdk.close();
const points = metrics.map(({ descriptor, dataPoints }) => ({ name: descriptor.name, points: dataPoints }));
process.stdout.write(JSON.stringify({ spans, metrics: points }));
process.exit(0);
