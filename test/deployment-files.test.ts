import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { openGateway } from '../docs/snippets/deploy/src/open-gateway.ts';
import { errorTable } from '../packages/contract/src/http/error-code.ts';
import { defaultEngineLimits } from '../packages/engine/src/engine-limits.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(`../docs/snippets/deploy/${name}`, import.meta.url));
const textOf = (name: string): string => readFileSync(fileOf(name), 'utf8');

const documentsOf = (name: string): readonly unknown[] =>
  parseAllDocuments(textOf(name), { strict: true, uniqueKeys: true }).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return document.toJS({ maxAliasCount: 10 }) as unknown;
  });

const numberIn = (text: string, pattern: RegExp): number =>
  Number((pattern.exec(text)?.[1] ?? 'none').replaceAll('_', ''));
const drainSeconds = numberIn(textOf('src/gateway.ts'), /drainMs: ([\d_]+)/) / 1_000;

const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.union([z.string(), z.number()]) }) });
const Container = z.object({
  name: z.string(),
  command: z.array(z.string()).optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  startupProbe: Probe.optional(),
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }).optional(),
});
const Deployment = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({ terminationGracePeriodSeconds: z.number(), containers: z.tuple([Container]) }),
    }),
  }),
});
const deployments = documentsOf('kubernetes.yaml').flatMap((document) => {
  const parsed = Deployment.safeParse(document);
  return parsed.success ? [parsed.data.spec] : [];
});

const Compose = z.object({ services: z.record(z.string(), z.object({ stop_grace_period: z.string().optional() })) });

test('every platform waits for longer than the drain before it kills a process', () => {
  expect(drainSeconds).toBe(25);
  expect(deployments).toHaveLength(2);
  for (const { template } of deployments) {
    const [{ lifecycle }] = template.spec.containers;
    const pause = lifecycle?.preStop.sleep.seconds ?? 0;
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(pause + drainSeconds + 1);
  }
  const [compose] = documentsOf('compose.yaml').map((document) => Compose.parse(document));
  for (const name of ['gateway-1', 'gateway-2'])
    expect(Number.parseInt(compose?.services[name]?.stop_grace_period ?? '', 10)).toBeGreaterThan(drainSeconds + 1);
  expect(numberIn(textOf('tollgate.service'), /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(drainSeconds + 1);
});

test('the probes of the files are paths to which the gateway of the page responds', async () => {
  const gateway = await openGateway({ TOLLGATE_CONTEXT_SECRET: 'c'.repeat(32), TOLLGATE_DB: ':memory:' });
  gateway.jobs.start();
  const [serving] = deployments;
  const { startupProbe, livenessProbe, readinessProbe } = serving?.template.spec.containers[0] ?? {};
  const words = [startupProbe, livenessProbe, readinessProbe].map(async (probe) => {
    const response = await gateway.fetch(new Request(`http://gateway.test${probe?.httpGet.path ?? '/none'}`));
    return response.text();
  });
  expect(await Promise.all(words)).toEqual(['{"status":"alive"}', '{"status":"alive"}', '{"status":"ready"}']);
  expect(textOf('Dockerfile')).toContain('/healthz`');
  await gateway.close();
});

test('the files start programs that are there, and select what they label', () => {
  for (const { selector, template } of deployments) expect(template.metadata.labels).toEqual(selector.matchLabels);
  const named = ['Dockerfile', 'kubernetes.yaml', 'tollgate.service'].flatMap((name) =>
    textOf(name).match(/src\/[a-z-]+\.ts/g),
  );
  expect(new Set(named)).toEqual(new Set(['src/gateway.ts', 'src/worker.ts']));
  for (const name of named) expect(existsSync(fileOf(name ?? ''))).toBe(true);
});

test('the proxies wait for longer than a call takes, and for shorter than the gateway keeps an idle connection', () => {
  const nginx = textOf('nginx.conf');
  expect(numberIn(nginx, /proxy_read_timeout (\d+)s/)).toBeGreaterThan(defaultEngineLimits.executionMs / 1_000);
  const keptSeconds =
    numberIn(
      readFileSync(new URL('../packages/node/src/serve.ts', import.meta.url), 'utf8'),
      /keepAliveMs = ([\d_]+)/,
    ) / 1_000;
  for (const [name, pattern] of [
    ['nginx.conf', /keepalive_timeout (\d+)s/],
    ['Caddyfile', /keepalive (\d+)s/],
  ] as const)
    expect(numberIn(textOf(name), pattern)).toBeLessThan(keptSeconds);
  expect(nginx).not.toContain('non_idempotent');
});

test('the proxies say of a call that was lost what the gateway says of an unknown outcome', () => {
  const { status, message } = errorTable.request_failed;
  const body = JSON.stringify({ error: { code: 'request_failed', message } });
  expect(textOf('nginx.conf')).toContain(`return ${status} '${body}';`);
  expect(textOf('nginx.conf')).toContain('add_header X-Should-Retry false always;');
  expect(textOf('Caddyfile')).toContain(`respond \`${body}\` ${status}`);
  expect(textOf('Caddyfile')).toContain('header X-Should-Retry false');
});
