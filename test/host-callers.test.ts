import { createServer, request as httpsRequest, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { GoogleGenAI } from '@google/genai';
import { exportJWK, generateKeyPair, createLocalJWKSet, SignJWT } from 'jose';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byCertificate, byJwt, byNewUser, bySession, chargedByUser, firstOf } from '../docs/snippets/callers.ts';
import { toNodeListener } from '../packages/node/src/index.ts';
import { memoryStorage } from '../packages/storage-memory/src/index.ts';
import { receiverCertificate, receiverKey } from '../packages/testing/src/gateway/receiver-certificate.ts';
import { createGateway, silentLogger, type Gateway } from '../packages/tollgate/src/index.ts';
import { startGateway, type RunningGateway } from './clients/running-gateway.ts';

const liveModel = 'flash-2.5-native-audio-latest';
const claims = { issuer: 'https://id.example.com/', audience: 'https://ai.example.com' };

/** The identity provider of a host: it signs tokens, and shows the key that verifies them. */
const createIssuer = async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
  const signed = (project: string, more: { readonly expires?: string; readonly audience?: string } = {}) =>
    new SignJWT({ project })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setSubject('ann')
      .setIssuer(claims.issuer)
      .setAudience(more.audience ?? claims.audience)
      .setExpirationTime(more.expires ?? '10m')
      .sign(privateKey);
  return { keys: createLocalJWKSet({ keys: [jwk] }), signed };
};

let issuer: Awaited<ReturnType<typeof createIssuer>>;
let running: RunningGateway;
beforeAll(async () => {
  issuer = await createIssuer();
  const find = (headers: Headers) => {
    const isAnn = headers.get('cookie') === 'session=ann';
    return Promise.resolve(isAnn ? { id: 'ann', projectId: running.projectId } : null);
  };
  running = await startGateway({
    options: {
      authenticate: firstOf(bySession({ find }), byJwt(issuer.keys)),
      compatibility: { openai: true, google: true },
    },
  });
  const voice = { projectId: running.projectId, reference: 'user:ann', model: liveModel };
  expect(await running.gateway.admin.createKeyOnce(voice)).not.toBeNull();
});
afterAll(() => running.close());

const keyOf = async ({ gateway, projectId }: RunningGateway, reference: string) =>
  (await gateway.admin.listKeys(projectId)).find((key) => key.reference === reference)?.id;

test('the client of OpenAI sends a JWT where it sends a key, and its call is charged to the project of the claim', async () => {
  const client = new OpenAI({
    apiKey: await issuer.signed(running.projectId),
    baseURL: running.baseUrl,
    maxRetries: 0,
  });
  const { data: answer, request_id: requestId } = await client.chat.completions
    .create({ model: 'flash-3.8', messages: [{ role: 'user', content: '[[sandbox: echo Good day.]]' }] })
    .withResponse();
  expect(answer.choices[0]?.message.content).toBe('Good day.');
  const operation = await running.gateway.admin.readOperation(requestId ?? '');
  expect(operation).toMatchObject({
    projectId: running.projectId,
    keyId: await keyOf(running, 'jwt:ann'),
    state: 'completed',
  });
});

test('a JWT that expired, or is for another service, is a wrong key', async () => {
  const wrong = [
    await issuer.signed(running.projectId, { expires: '-1m' }),
    await issuer.signed(running.projectId, { audience: 'https://mail.example.com' }),
    'eyJhbGciOiJub25lIn0.e30.',
  ];
  for (const apiKey of wrong) {
    const client = new OpenAI({ apiKey, baseURL: running.baseUrl, maxRetries: 0 });
    await expect(client.models.list()).rejects.toMatchObject({ status: 401 });
  }
});

test('a JWT is read where each client puts its key', async () => {
  const jwt = await issuer.signed(running.projectId);
  const places: readonly Readonly<Record<string, string>>[] = [
    { authorization: `Bearer ${jwt}` },
    { 'x-api-key': jwt },
    { 'x-goog-api-key': jwt },
  ];
  for (const headers of places)
    expect((await fetch(`${running.baseUrl}/account/limits`, { headers })).status, Object.keys(headers)[0]).toBe(200);
  expect((await fetch(`${running.baseUrl}/v1beta/models?key=${jwt}`)).status).toBe(200);
  const expired = await issuer.signed(running.projectId, { expires: '-1m' });
  const refused = await fetch(`${running.baseUrl}/account/limits`, { headers: { 'x-api-key': expired } });
  const message = 'The credential is missing, wrong, expired or revoked.';
  expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: 'invalid_api_key', message } }]);
});

test('usage by user has the references under which the users count', async () => {
  const { admin } = running.gateway;
  const hourMs = 3_600_000;
  const untilMs = (Math.floor(Date.now() / hourMs) + 2) * hourMs;
  const client = new OpenAI({ apiKey: await issuer.signed(running.projectId), baseURL: running.baseUrl });
  await client.chat.completions.create({ model: 'flash-3.8', messages: [{ role: 'user', content: 'Hello' }] });
  const charged = await chargedByUser(admin, running.projectId, { fromMs: untilMs - 48 * hourMs, untilMs });
  expect(charged.get('jwt:ann')).toBeGreaterThan(0n);
});

test('a new user gets account and project at its first call', async () => {
  const user = { id: '01a21370-0d13-7000-8000-000000000042', email: 'bob@example.com' };
  const find = (headers: Headers) => Promise.resolve(headers.get('cookie') === 'session=bob' ? user : null);
  const gateway: Gateway = await createGateway({
    storage: memoryStorage(),
    contextSecret: 'a secret of at least 32 characters',
    logger: silentLogger,
    authenticate: byNewUser(find, () => gateway.admin),
  });
  const ask = (cookie: string) =>
    gateway.fetch(new Request('http://gateway.test/api/v1/ai/account/balance', { headers: { cookie } }));
  const answers = await Promise.all(Array.from({ length: 4 }, () => ask('session=bob')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await ask('session=eve')).status).toBe(401);
  expect(await gateway.admin.listKeys(user.id)).toMatchObject([{ accountId: user.id, reference: `user:${user.id}` }]);
  await gateway.close({ drainMs: 0 });
});

test('a page of the host calls with the cookie of its session, and no other page can', async () => {
  const ask = (headers: Readonly<Record<string, string>>) =>
    fetch(`${running.baseUrl}/account/limits`, { headers: { cookie: 'session=ann', ...headers } });
  const own = await ask({ origin: running.origin });
  expect([own.status, await own.json()]).toMatchObject([200, { key_id: await keyOf(running, 'user:ann') }]);
  expect((await ask({})).status).toBe(200);
  const other = await ask({ origin: 'https://evil.example.com' });
  expect([other.status, await other.json()]).toMatchObject([403, { error: { code: 'token_not_allowed' } }]);
  expect((await ask({ cookie: 'session=bob' })).status).toBe(401);
});

test('a session of the client of Google opens for a caller of the host', async () => {
  const opened = Promise.withResolvers<boolean>();
  const client = new GoogleGenAI({
    apiKey: 'of the page',
    httpOptions: { baseUrl: running.baseUrl, headers: { cookie: 'session=ann' } },
  });
  const session = await client.live.connect({
    model: liveModel,
    callbacks: {
      onmessage: ({ setupComplete }) => {
        if (setupComplete !== undefined) opened.resolve(true);
      },
      onclose: ({ reason }) => opened.reject(new Error(reason)),
    },
  });
  expect(await opened.promise).toBe(true);
  session.close();
});

/** One request over TLS, and what came of it. */
const askTls = (options: RequestOptions): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = httpsRequest({ ...options, path: '/api/v1/ai/account/balance' }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject).end();
  });

test('a machine calls with a certificate that the server has verified, and is refused without one', async () => {
  const projects = new Map<string, string>();
  const gateway: Gateway = await createGateway({
    storage: memoryStorage(),
    contextSecret: 'a secret of at least 32 characters',
    authenticate: byCertificate(projects),
  });
  const account = await gateway.admin.createAccount({ name: 'Machines' });
  const project = await gateway.admin.createProject({ accountId: account.id, name: 'Machines' });
  projects.set('hooks.example.com', project?.id ?? '');
  const identity = { key: receiverKey, cert: receiverCertificate };
  const server = createServer(
    { ...identity, ca: receiverCertificate, requestCert: true, rejectUnauthorized: false },
    toNodeListener(gateway.handle),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const to = { port, host: '127.0.0.1', servername: 'hooks.example.com', ca: receiverCertificate, agent: false };
  expect(await askTls({ ...to, ...identity })).toBe(200);
  expect(await askTls(to)).toBe(401);
  server.close();
  await gateway.close({ drainMs: 0 });
});
