// The code of the pages that keeps its data in the folder where it is started, run once each; it prints what it has run.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trace } from '@opentelemetry/api';
import { silentLogger, type Gateway } from 'tollgate';
import { start } from '../../docs/snippets/configuration-errors.ts';
import { withRequestLog } from '../../docs/snippets/observability.ts';
import { changedSecret, limitedGateway, openBounded, trialGateway } from '../../docs/snippets/options.ts';
import { observedGateway, scrapedGateway, withMetricsRoute } from '../../docs/snippets/telemetry.ts';
import { openSdk3 } from '../telemetry-sdk3.ts';
import { ask, openCustomer } from './snippet-world.ts';

const finish = async (gateway: Gateway, name: string): Promise<void> => {
  assert.deepEqual((await gateway.admin.audit()).violations, []);
  await gateway.close();
  console.log(`ran ${name}`);
};

const chat = async (gateway: Gateway, key: string): Promise<number> => (await gateway.fetch(ask(key))).status;

const logged = await withRequestLog();
const first = await openCustomer(logged, null);
assert.equal(await chat(logged, first.key), 200);
assert.equal((await logged.fetch(new Request('http://host/readyz'))).status, 200);
await finish(logged, 'withRequestLog');

const limited = await limitedGateway((keyId) => keyId === first.keyId);
const refused = await limited.fetch(ask(first.key));
assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '2']);
await finish(limited, 'limitedGateway');

const trial = await trialGateway((projectId) => projectId === first.projectId);
assert.equal(await chat(trial, first.key), 200);
const [operation] = await trial.admin.listOperations({ kind: 'account', accountId: first.accountId });
assert.equal(operation?.model, 'flash-lite-3.5');
await finish(trial, 'trialGateway');

const bounded = await openBounded();
assert.equal((await bounded.admin.readProjectQuotas(first.projectId))?.quotas.filesMax, 500);
await finish(bounded, 'openBounded');

const secrets = { fresh: 'f'.repeat(32), old: 'o'.repeat(32) };
const changed = await changedSecret(secrets);
assert.equal(await chat(changed, first.key), 200);
await finish(changed, 'changedSecret');

const sdk = openSdk3();
trace.setGlobalTracerProvider({ getTracer: () => sdk.tracer });
const observed = await observedGateway('observed.db');
const { key } = await openCustomer(observed);
assert.equal(await chat(observed, key), 200);
await finish(observed, 'observedGateway');
assert.ok(sdk.spans().length > 0);
await sdk.close();

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
// A server that listens on a port has an address of this form.
const { port } = probe.address() as AddressInfo;
probe.close();
await once(probe, 'close');
const scraped = await scrapedGateway('scraped.db', port);
const customer = await openCustomer(scraped);
assert.equal(await chat(scraped, customer.key), 200);
assert.match(
  await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
  /gen_ai_client_operation_duration_seconds_count/u,
);
await finish(scraped, 'scrapedGateway');

const token = 't'.repeat(32);
const { app, gateway } = await withMetricsRoute('metrics.db', token);
const scraper = await openCustomer(gateway);
assert.equal((await app.request(ask(scraper.key))).status, 200);
const shown = await app.request('/metrics', { headers: { authorization: `Bearer ${token}` } });
assert.match(await shown.text(), /gen_ai_client_operation_duration_seconds_count/u);
assert.notEqual((await app.request('/metrics')).status, 200);
await finish(gateway, 'withMetricsRoute');

console.log('runs start, which ends the process');
// A name that the types refuse too.
await start(Object.assign({ logger: silentLogger }, { overrrun: 'pending' }));
