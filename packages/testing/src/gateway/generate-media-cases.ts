import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { assertContentRefused, generate, helloContent, lastCall, lastParts, ofTurn } from './generate-ask.ts';
import { mediaSamples as samples } from './media-samples.ts';
import { suiteModel } from './suite-tariff.ts';

const inline = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } });

const accepted: readonly (readonly [string, string])[] = [
  ['audio/wav', samples.wav],
  ['audio/mpeg', samples.mp3],
  ['audio/mp4', samples.m4a],
  ['audio/aac', samples.aac],
  ['audio/ogg', samples.ogg],
  ['audio/flac', samples.flac],
  ['video/mp4', samples.mp4],
  ['video/webm', samples.webm],
  ['video/quicktime', samples.quicktime],
  ['image/png', samples.png],
  ['image/jpeg', samples.jpeg],
  ['image/webp', samples.webp],
  ['application/pdf', samples.pdf],
  ['text/plain', samples.text],
];

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const call = (name: string) => ({ functionCall: { name } });
const response = (name: string, nth: number) => ({ functionResponse: { name, response: { nth } } });

/** The parts of a request. */
export const generateMediaCases: readonly GatewayCase[] = [
  gatewayCase('takes five kinds of parts [generate:part:kinds]', async (world) => {
    const body = {
      contents: [
        helloContent,
        { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'look', args: { at: [1, { b: null }] } } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'look', response: { seen: 'rain' } } }] },
      ],
    };
    okJson(await generate(world, body));
    assert.deepEqual(lastCall(world).contents.slice(1), [
      {
        role: 'model',
        parts: [{ kind: 'function_call', id: 'c1', name: 'look', arguments: '{"at":[1,{"b":null}]}' }],
      },
      { role: 'user', parts: [{ kind: 'function_response', id: 'c1', name: 'look', response: '{"seen":"rain"}' }] },
    ]);
    okJson(await generate(world, ofTurn({ text: 'a' }, inline('image/png', samples.png))));
    await assertContentRefused(world, 'unsupported_content', [
      ofTurn({ foo: 1 }),
      ofTurn({}),
      ofTurn('bare'),
      ofTurn({ executableCode: { language: 'PYTHON', code: '1' } }),
      ofTurn({ codeExecutionResult: { outcome: 'OUTCOME_OK' } }),
    ]);
    await assertContentRefused(world, 'invalid_request', [
      ofTurn({ functionResponse: { name: 'look', response: {} } }),
    ]);
  }),
  gatewayCase('finds the call of a response without an id by its name', async (world) => {
    okJson(
      await generate(world, {
        contents: [
          helloContent,
          { role: 'model', parts: [call('a'), call('b'), call('a')] },
          { role: 'user', parts: [response('a', 1), response('a', 2), response('b', 3)] },
        ],
      }),
    );
    const ids = lastCall(world).contents.flatMap(({ parts }) =>
      parts.flatMap((part) => ('id' in part ? [`${part.kind} ${part.id ?? ''}`] : [])),
    );
    assert.deepEqual(ids, [
      'function_call call-1-0',
      'function_call call-1-1',
      'function_call call-1-2',
      'function_response call-1-0',
      'function_response call-1-2',
      'function_response call-1-1',
    ]);
  }),
  gatewayCase('takes inline media of a type and in base64 [generate:part:inline-data]', async (world) => {
    okJson(await generate(world, ofTurn(inline('image/png', samples.png))));
    assert.deepEqual(lastParts(world), [{ kind: 'media', mimeType: 'image/png', data: samples.png }]);
    await assertContentRefused(world, 'invalid_image', [
      ofTurn(inline('image/png', `${samples.png}*`)),
      ofTurn(inline('image/png', samples.jpeg)),
    ]);
    await assertContentRefused(world, 'unsupported_content', [
      ofTurn(inline('audio/wav', 'not base64')),
      ofTurn({ inlineData: { data: samples.png } }),
      ofTurn({ inlineData: { mimeType: 'image/png' } }),
    ]);
  }),
  gatewayCase('takes fourteen types of media and no other [generate:media:accepted]', async (world) => {
    for (const [mimeType, data] of accepted) {
      okJson(await generate(world, ofTurn(inline(mimeType, data))));
      assert.deepEqual(lastParts(world), [{ kind: 'media', mimeType, data }]);
    }
    await assertContentRefused(
      world,
      'unsupported_content',
      [
        inline('audio/midi', samples.text),
        inline('video/x-msvideo', samples.text),
        inline('image/gif', samples.gif),
        inline(docx, samples.zip),
      ].map((part) => ofTurn(part)),
    );
  }),
  gatewayCase('hands large media on by reference, and keeps nothing of them afterwards', async (world) => {
    const bytes = Buffer.alloc(300_000, 'plain words ');
    okJson(await generate(world, ofTurn({ text: 'Read.' }, inline('text/plain', bytes.toString('base64')))));
    const [, part] = lastParts(world);
    assert.ok(part?.kind === 'blob', `found a part of kind ${part?.kind ?? ''}`);
    assert.deepEqual([part.mimeType, part.sizeBytes], ['text/plain', bytes.length]);
    await assert.rejects(async () => {
      for await (const chunk of part.read()) assert.ok(chunk.byteLength > 0);
    });
  }),
  gatewayCase('compares bodies by their exact bytes where media are handed on as well', async (world) => {
    const data = Buffer.alloc(90_000, 'plain words and slashes ???').toString('base64');
    const body = JSON.stringify(ofTurn(inline('text/plain', data)));
    const once = { headers: { 'idempotency-key': 'large-media' } };
    const first = await generate(world, body, once);
    okJson(first);
    for (const other of [
      body.replace(data, `B${data.slice(1)}`),
      body.replace(data, data.slice(0, -4)),
      body.replace(data, data.replace('/', String.raw`\/`)),
      body.replace(data, data.replace('/', String.raw`\u002f`)),
      `${body} `,
    ]) {
      assert.notEqual(other, body);
      assertRefused(await generate(world, other, once), 409, 'ai_idempotency_conflict');
    }
    const again = await generate(world, body, once);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
  }),
  gatewayCase('takes files of the project by name, and no other address [generate:part:file-data]', async (world) => {
    const upload = { display_name: 'Sheet', mime_type: 'application/pdf', data: samples.pdf };
    const uploaded = await world.send({ path: '/files', body: upload });
    assert.equal(uploaded.status, 201, uploaded.text);
    const fileUri = jsonOf(JSON.parse(uploaded.text)).at('name').text();
    okJson(await generate(world, ofTurn({ text: 'Read.' }, { fileData: { fileUri } })));
    const [, part] = lastParts(world);
    assert.ok(part?.kind === 'blob');
    assert.deepEqual([part.mimeType, part.file?.displayName], ['application/pdf', 'Sheet']);
    const foreign = await world.createCaller({
      projectId: await world.createProject(world.accountId),
      model: suiteModel,
    });
    const body = ofTurn({ fileData: { fileUri } });
    assertRefused(await generate(world, body, { key: foreign.key }), 404, 'not_found');
    assertRefused(await generate(world, ofTurn({ fileData: { fileUri: 'files/none' } })), 404, 'not_found');
    await assertContentRefused(world, 'unsupported_content', [
      ofTurn({ fileData: { fileUri: 'https://example.com/a.pdf' } }),
      ofTurn({ fileData: { fileUri: fileUri.replace('files/', '') } }),
      ofTurn({ fileData: {} }),
    ]);
    await assertContentRefused(world, 'unsupported_parameter', [
      ofTurn({ fileData: { fileUri, mimeType: 'application/pdf' } }),
    ]);
  }),
  gatewayCase('refuses media that the model does not read', async (world) => {
    const { key } = await world.createCaller({ projectId: world.projectId, model: 'open-4-31b-it' });
    const body = ofTurn(inline('audio/wav', samples.wav));
    assertRefused(await generate(world, body, { key, model: 'open-4-31b-it' }), 422, 'unsupported_content');
    assert.equal(world.provider.calls.length, 0);
  }),
];
