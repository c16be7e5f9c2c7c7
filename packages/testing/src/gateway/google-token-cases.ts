import assert from 'node:assert/strict';
import { okJson, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { askGoogle, assertRefusedField, assertTold, google, keyOf, type GoogleAsk } from './google-ask.ts';
import { liveModel } from './live-ask.ts';
import { suiteModel } from './suite-tariff.ts';

const setup = { model: `models/${liveModel}`, generationConfig: { responseModalities: ['TEXT'] } };
const body = { uses: 1, bidiGenerateContentSetup: setup };

const mint = (world: GatewayWorld, credential: string, asked: object = body, more: GoogleAsk = {}): Promise<Answer> =>
  askGoogle(world, '/auth_tokens', { ...more, credential, body: asked });

/** The id and the access key that a token stands for, as the first frame of a socket. */
const frameOf = (answer: Answer): string => {
  const [, id, accessKey] = /^auth_tokens\/([^.]+)\.(.+)$/.exec(okJson(answer).at('name').text()) ?? [];
  return JSON.stringify({ id, access_key: accessKey });
};

const reservedMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).reservedMicros;

/** Tokens for the sessions of Google's clients: the access of POST /live in another form. */
export const googleTokenCases: readonly GatewayCase[] = [
  gatewayCase(
    'google: makes a token that opens one session, holds for it, and gives a repeat the same token',
    async (world) => {
      const credential = await keyOf(world, liveModel);
      const headers = { 'idempotency-key': 'one-token' };
      const first = await mint(world, credential, body, { headers });
      const held = await reservedMicros(world);
      assert.ok(held > 0n);
      const again = await mint(world, credential, body, { headers });
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [first.text, 'true']);
      assert.equal(await reservedMicros(world), held);
      const socket = await world.socket();
      socket.send(frameOf(first));
      assert.equal(await socket.next(), '{"setupComplete":{}}');
      const second = await world.socket();
      second.send(frameOf(first));
      assert.equal(await second.closed, 4401);
      socket.close();
    },
    google,
  ),
  gatewayCase(
    'google: opens the session of a token to the pages of the token that asked for it alone',
    async (world) => {
      const { keyId } = await world.createCaller({ projectId: world.projectId, model: liveModel });
      const page = 'https://app.example.com';
      const created = await world.admin.createToken({ keyId, origins: [page] });
      const frame = frameOf(await mint(world, created?.token ?? '', body, { headers: { origin: page } }));
      const other = await world.socket('https://other.example.com');
      other.send(frame);
      assert.match(await other.next(), /wrong, expired or used/);
      assert.equal(await other.closed, 4401);
      const socket = await world.socket(page);
      socket.send(frame);
      assert.equal(await socket.next(), '{"setupComplete":{}}');
      socket.close();
    },
    google,
  ),
  gatewayCase(
    'google: lets a token wait for as long as it says, and no longer',
    async (world) => {
      const credential = await keyOf(world, liveModel);
      const until = (ms: number) => ({ newSessionExpireTime: new Date(world.time.now() + ms).toISOString() });
      const [short, long] = [
        await mint(world, credential, { ...body, ...until(30_000) }),
        await mint(world, credential, { ...body, ...until(600_000) }),
      ];
      world.time.advance(61_000);
      const late = await world.socket();
      late.send(frameOf(short));
      assert.equal(await late.closed, 4401);
      const socket = await world.socket();
      socket.send(frameOf(long));
      assert.equal(await socket.next(), '{"setupComplete":{}}');
      socket.close();
    },
    google,
  ),
  gatewayCase(
    'google: refuses a token by the name of the field, and for a model that holds no sessions',
    async (world) => {
      const credential = await keyOf(world, liveModel);
      assertRefusedField(await mint(world, credential, { ...body, uses: 2 }), 'uses');
      assertRefusedField(await mint(world, credential, { ...body, fieldMask: 'tools' }), 'fieldMask');
      assertRefusedField(await mint(world, credential, {}), 'bidiGenerateContentSetup');
      const foreign = { bidiGenerateContentSetup: { ...setup, model: 'models/pro-2.5' } };
      assertTold(await mint(world, credential, foreign), 422, 'INVALID_ARGUMENT', 'model_key_mismatch');
      const chat = { bidiGenerateContentSetup: { model: `models/${suiteModel}` } };
      assertTold(await mint(world, world.key, chat), 422, 'INVALID_ARGUMENT', 'model_incompatible');
      assertTold(await mint(world, 'wrong'), 401, 'UNAUTHENTICATED', 'invalid_api_key');
      assert.equal(await reservedMicros(world), 0n);
    },
    google,
  ),
];
