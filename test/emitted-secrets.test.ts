import { inspect } from 'node:util';
import { routes } from '@tollgate/contract';
import type { WebhookSender } from '@tollgate/engine';
import { sandboxProvider } from '@tollgate/provider-sandbox';
import { memoryStorage } from '@tollgate/storage-memory';
import { telemetry } from '@tollgate/telemetry';
import { prometheus } from '@tollgate/telemetry/prometheus';
import { createGateway, type GatewayOptions, type Observer } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';
import { creations, seedModels, type NamedKind, type SeedModel } from './hostile/route-seeds.ts';
import { openSdk3 } from './telemetry-sdk3.ts';

/** Stands in everything that a client, a host or an upstream gives and that must not be emitted. */
const mark = (place: string): string => `marked-${place}-7d1e`;
const anyMark = /marked-[\w-]+-7d1e/u;

/** Puts a mark into every text of a body that is not one of a few known words. */
const markedBody = (body: object): object =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll(/"(text|content|prompt|input|display_name)":"([^"]*)"/gu, `"$1":"$2 ${mark('content')}"`)
      .replaceAll('hooks.example.com/in', `hooks.example.com/${mark('url')}`),
  ) as object;

const acceptingSender: WebhookSender = {
  check: (url) => Promise.resolve({ kind: 'allowed', url }),
  send: () => Promise.resolve({ kind: 'answered', status: 200, retryAfterMs: null }),
  close: () => Promise.resolve(),
};

/** Everything that a gateway emits, as text. */
const openEmitting = async () => {
  const sdk = openSdk3();
  const lines: string[] = [];
  const log = (...parts: readonly unknown[]): void => void lines.push(inspect(parts, { depth: 20 }));
  const { api, tracer, meter } = sdk;
  const spans = await telemetry({ api, tracer, meter });
  const scraped = prometheus();
  const events: Observer = { observe: (event) => log(event) };
  const sandbox = sandboxProvider();
  const provider: GatewayOptions['provider'] = {
    ...sandbox,
    generate: (call, context) => {
      const ids = { upstreamId: mark('upstream-id'), answerId: mark('answer-id') };
      context.recordAttempt({ startedAtMs: 1, durationMs: 1, status: 200, outcome: 'answered', ...ids });
      return sandbox.generate(call, context);
    },
  };
  const gateway = await createGateway({
    storage: memoryStorage(),
    provider,
    contextSecret: mark('context-secret-of-the-host-at-rest'),
    observers: [spans, scraped, events],
    requestLog: log,
    webhooks: { sender: acceptingSender },
    probes: true,
    logger: { info: log, warn: log, error: log },
  });
  onTestFinished(async () => {
    await gateway.close({ drainMs: 0 });
    await sdk.close();
  });
  const emitted = async (): Promise<string> => {
    const metrics = await sdk.metrics();
    const scrape = await scraped.metricsHandler(new Request('http://gateway.test/metrics'));
    const shown = sdk
      .spans()
      .map(({ name, attributes, events: inside, links }) => ({ name, attributes, inside, links }));
    return [...lines, inspect(shown, { depth: 20 }), inspect(metrics, { depth: 20 }), await scrape.text()].join('\n');
  };
  return { gateway, emitted };
};

const furnish = async ({ admin }: Awaited<ReturnType<typeof openEmitting>>['gateway']) => {
  const { id: accountId } = await admin.createAccount({ name: mark('account-name') });
  await admin.deposit({ accountId, amountMicros: 1_000_000_000_000n, reference: mark('reference') });
  const project = await admin.createProject({ accountId, name: mark('project-name') });
  const keys = new Map<SeedModel, string>();
  const tokens: string[] = [];
  for (const [family, model] of Object.entries(seedModels)) {
    const created = await admin.createKey({ projectId: project?.id ?? '', model });
    // The families are the keys of the table above.
    keys.set(family as SeedModel, created?.key ?? '');
    const token = await admin.createToken({ keyId: created?.id ?? '', origins: ['https://app.example.com'] });
    tokens.push(token?.token ?? '');
  }
  return { keyOf: (family: SeedModel): string => keys.get(family) ?? '', tokens, all: [...keys.values(), ...tokens] };
};

test('nothing that is emitted holds a key, a token, a body, a prompt, a response or an id of an upstream, on any route', async () => {
  const { gateway, emitted } = await openEmitting();
  const { keyOf, all, tokens } = await furnish(gateway);
  let answered = 0;
  const send = async (method: string, path: string, body: object | null, key = keyOf('text')) => {
    const response = await gateway.fetch(
      new Request(`http://gateway.test/api/v1/ai${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': `${mark('identity')}-${(answered += 1)}`,
          'user-agent': mark('agent'),
        },
        body: body === null ? null : JSON.stringify(body),
      }),
    );
    return { status: response.status, text: await response.text() };
  };
  const ids: Partial<Record<NamedKind, string>> = {};
  for (const [kind, path, model, bodyOf] of creations) {
    const made = await send('POST', path, markedBody(bodyOf(ids)), keyOf(model));
    expect([kind, made.status, made.text]).toEqual([
      kind,
      expect.toSatisfy((status: number) => status < 300),
      made.text,
    ]);
    ids[kind] = String((JSON.parse(made.text) as { readonly id: unknown }).id);
  }
  const chat = { messages: [{ role: 'user', content: `Say ${mark('prompt')}` }] };
  expect((await send('POST', '/chat/completions', chat)).text).toContain(mark('prompt'));
  const content = { contents: [{ role: 'user', parts: [{ text: mark('prompt') }] }] };
  await send('POST', `/models/${seedModels.text}:streamGenerateContent`, content);
  await send('POST', '/embeddings', { input: mark('prompt') }, keyOf('embedding'));
  for (const { method, path } of routes) {
    const filled = path.replaceAll(/\{[^}]+\}/gu, mark('id'));
    await send(method, filled, method === 'GET' || method === 'DELETE' ? null : { [mark('field')]: mark('value') });
    await send(method, filled, null, mark('key'));
    for (const token of tokens) await send(method, filled, null, token);
  }
  await send('POST', `/${mark('path')}`, {});
  for (let round = 0; round < 5; round += 1) await gateway.jobs.runDue();
  const text = await emitted();
  expect(text).toContain('operation_ended');
  expect(text.match(anyMark)).toBeNull();
  for (const key of all) expect(text).not.toContain(key);
});
