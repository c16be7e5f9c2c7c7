import assert from 'node:assert/strict';
import { okJson, requestIdOf, type Answer, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { askGoogle, assertRefusedField, assertTold, google, keyOf, strangerOf, type GoogleAsk } from './google-ask.ts';
import { videoModel, workThrough } from './video-ask.ts';

const body = { instances: [{ prompt: 'A ferry.' }], parameters: { sampleCount: 1, durationSeconds: 8 } };

const create = (
  world: GatewayWorld,
  credential: string,
  asked: unknown = body,
  more: GoogleAsk = {},
): Promise<Answer> =>
  askGoogle(world, `/models/${videoModel}:predictLongRunning`, { ...more, credential, body: asked });

const uriOf = (operation: Json): string =>
  operation.at('response', 'generateVideoResponse', 'generatedSamples', 0, 'video', 'uri').text();

/** Videos in the terms of Google's clients: the same resource, credits and states. */
export const googleVideoCases: readonly GatewayCase[] = [
  gatewayCase(
    'google: makes a video as a long operation, charges it once, and sends its bytes for the key in a header or in the address',
    async (world) => {
      const credential = await keyOf(world, videoModel);
      const headers = { 'idempotency-key': 'one-video' };
      const answer = await create(world, credential, body, { headers });
      const created = okJson(answer);
      const name = created.at('name').text();
      assert.equal(name, `models/${videoModel}/operations/${requestIdOf(answer)}`);
      assert.equal(created.at('done').value, false);
      await workThrough(world);
      const operation = okJson(await askGoogle(world, `/${name}`, { credential }));
      assert.equal(operation.at('done').value, true);
      assert.equal((await world.record(requestIdOf(answer))).at('charged_credits').value, 8);
      const again = await create(world, credential, body, { headers });
      assert.deepEqual([okJson(again).at('name').value, again.headers.get('idempotency-replayed')], [name, 'true']);
      const path = new URL(uriOf(operation)).pathname.replace(/^.*(?=\/v1beta\/)/, '');
      const byHeader = await world.open({ key: null, path, headers: { 'x-goog-api-key': credential } });
      const byAddress = await world.open({ key: null, path: `${path}?alt=media&key=${credential}` });
      assert.deepEqual([byHeader.status, byHeader.headers.get('content-type')], [200, 'video/mp4']);
      assert.deepEqual(await byAddress.bytes(), await byHeader.bytes());
      const stranger = await strangerOf(world, videoModel);
      for (const foreign of [`/${name}`, path.replace('/v1beta', '')])
        assertTold(await askGoogle(world, foreign, { credential: stranger }), 404, 'NOT_FOUND', 'not_found');
      assertTold(await world.send({ key: null, path: `${path}?key=wrong` }), 401, 'UNAUTHENTICATED', 'invalid_api_key');
    },
    google,
  ),
  gatewayCase(
    'google: reports a video that failed, and charges nothing',
    async (world) => {
      const credential = await keyOf(world, videoModel);
      world.provider.scriptVideos({ kind: 'not_executed', reason: 'failed' });
      const name = okJson(await create(world, credential))
        .at('name')
        .text();
      await workThrough(world);
      const operation = okJson(await askGoogle(world, `/${name}`, { credential }));
      assert.deepEqual([operation.at('done').value, operation.at('response').value], [true, undefined]);
      assert.ok(operation.at('error', 'code').number() >= 400);
      assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
    },
    google,
  ),
  gatewayCase(
    'google: refuses a video by the name of the field',
    async (world) => {
      const credential = await keyOf(world, videoModel);
      const parameters = { sampleCount: 2 };
      assertRefusedField(await create(world, credential, { ...body, parameters }), 'parameters.sampleCount');
      const image = { gcsUri: 'gs://bucket/a.png' };
      assertRefusedField(await create(world, credential, { instances: [{ image }] }), 'instances[0].image.gcsUri');
      assertTold(await create(world, credential, '{'), 400, 'INVALID_ARGUMENT', 'invalid_json');
      assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
    },
    google,
  ),
];
