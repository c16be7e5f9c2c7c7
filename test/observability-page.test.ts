import { readFileSync } from 'node:fs';
import path from 'node:path';
import { metricTable, type MetricSpec } from '@tollgate/telemetry';
import { prometheus } from '@tollgate/telemetry/prometheus';
import { expect, test } from 'vitest';

const page = readFileSync(path.join(import.meta.dirname, '../docs/observability.md'), 'utf8');
const specs: readonly MetricSpec[] = Object.values(metricTable);

test('the page lists every metric with its attributes, and no other', () => {
  const rows = [...page.matchAll(/^\| `((?:gen_ai|tollgate)\.[\w.]+)` +\| `(\w+)` +\| (\w+), \S+ +\| (.*?) +\|/gmu)];
  expect(new Set(rows.map(([, name]) => name))).toEqual(new Set(specs.map(({ name }) => name)));
  expect(rows).toHaveLength(specs.length);
  for (const [, name, , kind, attributes = ''] of rows) {
    const spec = specs.find((each) => each.name === name);
    expect([name, kind]).toEqual([name, spec?.kind]);
    const listed = [...attributes.matchAll(/`([^`]+)`/gu)].map(([, attribute]) => attribute);
    expect([name, listed]).toEqual([name, spec?.attributes]);
  }
});

test('every series that the page queries is one that a scrape shows', async () => {
  const text = await (await prometheus().metricsHandler(new Request('http://metrics.test/'))).text();
  const queried = [...page.matchAll(/\b((?:gen_ai|tollgate)_\w+?)(?:_bucket|_sum|_count)?[[{]/gu)].map(
    ([, name = '']) => name,
  );
  expect(queried.length).toBeGreaterThan(5);
  for (const name of queried) expect(text).toContain(`# TYPE ${name} `);
});

test('no metric has an attribute with a value for each account, project, key or operation', () => {
  const attributes = new Set(specs.flatMap((spec) => spec.attributes));
  for (const attribute of attributes) expect(attribute).not.toMatch(/account|project|key|\bid\b/u);
});
