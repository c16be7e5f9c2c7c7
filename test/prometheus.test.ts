import { createServer } from 'node:http';
import { metricTable } from '@tollgate/telemetry';
import { prometheus } from '@tollgate/telemetry/prometheus';
import { Registry } from 'prom-client';
import { fetchListener } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';
import { createOwnGateway, greeting } from './gateway/served-gateway.ts';

/** A fetch handler as a server on a free port. */
const listen = async (handle: (request: Request) => Promise<Response>): Promise<string> => {
  const server = createServer(fetchListener(handle));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/metrics`;
};

const open = async (options: Parameters<typeof prometheus>[0] = {}) => {
  const observer = prometheus(options);
  const own = await createOwnGateway({ observed: { observers: [observer] } });
  onTestFinished(() => own.gateway.close({ drainMs: 0 }));
  const chat = () =>
    own.gateway.fetch(
      new Request('http://gateway.test/api/v1/ai/chat/completions', {
        method: 'POST',
        body: greeting,
        headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
      }),
    );
  return { ...own, chat, observer, url: await listen(observer.metricsHandler) };
};

/** A series with its labels in alphabetical order; no label of these tests holds a comma. */
const ordered = (series: string): string => {
  const [name = '', labels = ''] = series.replace(/\}$/u, '').split('{');
  return `${name}{${labels.split(',').toSorted().join(',')}}`;
};

/** The value of a series in the text of a scrape, by its name and labels. */
const valueOf = (text: string, series: string): number | null => {
  for (const line of text.split('\n')) {
    const end = line.lastIndexOf(' ');
    if (!line.startsWith('#') && ordered(line.slice(0, end)) === ordered(series)) return Number(line.slice(end + 1));
  }
  return null;
};

test('a scrape over HTTP shows what calls used and what the gateway holds', async () => {
  const { chat, provider, url } = await open();
  await chat();
  provider.script({ kind: 'not_executed', reason: 'rate_limited' });
  await chat();
  provider.script({ kind: 'unknown' });
  await chat();
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  const text = await response.text();
  const called = 'gen_ai_operation_name="chat",gen_ai_provider_name="scripted",gen_ai_request_model="flash-2.5"';
  expect(valueOf(text, `gen_ai_client_token_usage_sum{gen_ai_token_type="input",${called}}`)).toBe(10);
  expect(valueOf(text, `gen_ai_client_operation_duration_seconds_count{${called}}`)).toBe(1);
  const ends = 'tollgate_operation_ends_total{gen_ai_operation_name="chat",gen_ai_request_model="flash-2.5"';
  for (const outcome of ['settled', 'failed', 'uncertain'])
    expect([outcome, valueOf(text, `${ends},tollgate_outcome="${outcome}"}`)]).toEqual([outcome, 1]);
  expect(valueOf(text, 'tollgate_operation_uncertain')).toBe(1);
  expect(valueOf(text, 'tollgate_holds{tollgate_hold_age="under 60 s"}')).toBe(1);
  expect(valueOf(text, 'tollgate_queue_depth{tollgate_queue="running"}')).toBe(0);
  expect(text).toMatch(
    /tollgate_request_refusals_total\{tollgate_route="createChatCompletion",tollgate_error_code="\w+"\} 1/,
  );
});

test('shows every metric of the table once, and nothing twice in a register of the host', async () => {
  const register = new Registry();
  const { url, observer } = await open({ register });
  expect(observer.register).toBe(register);
  const text = await (await fetch(url)).text();
  const shown = [...text.matchAll(/^# TYPE (\S+) /gmu)].map(([, name]) => name);
  expect(new Set(shown).size).toBe(Object.keys(metricTable).length);
  expect(shown).toHaveLength(Object.keys(metricTable).length);
});

test('shows the metrics only to whom the host lets read them', async () => {
  const { url } = await open({ authorize: (request) => request.headers.get('authorization') === 'Bearer collector' });
  expect((await fetch(url)).status).toBe(401);
  expect((await fetch(url, { headers: { authorization: 'Bearer collector' } })).status).toBe(200);
});

test('records the batches of a storage', async () => {
  const { observer, url } = await open();
  observer.onBatch({ steps: 3, durationMs: 2 });
  const text = await (await fetch(url)).text();
  expect(valueOf(text, 'tollgate_storage_batch_size_sum')).toBe(3);
});
