import assert from 'node:assert/strict';
import { embeddingTasks } from '@tollgate/contract';
import type { BlobPart } from '@tollgate/provider';
import { assertRefused, okJson } from './answer.ts';
import { pdfUpload, uploadedId } from './file-ask.ts';
import { createEmbedder, embeddingRow, mediaEmbedding, vectorsOf } from './embedder.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { mediaSamples } from './media-samples.ts';

const inline = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } });
const png = inline('image/png', mediaSamples.png);
const pdf = inline('application/pdf', mediaSamples.pdf);

const bytesOf = async (part: BlobPart): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of part.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const contentCases: readonly GatewayCase[] = [
  gatewayCase('takes exactly one of input and content [embeddings:body:input-or-content]', async (world) => {
    const { embed } = await createEmbedder(world, mediaEmbedding);
    for (const body of [{}, { input: 'a', content: { parts: [png] } }])
      assertRefused(await embed(body), 422, 'invalid_request');
  }),
  gatewayCase(
    'makes one vector of content, whatever its parts [embeddings:response:content-one-vector]',
    async (world) => {
      const { embed, handed } = await createEmbedder(world, mediaEmbedding);
      assert.equal(vectorsOf(okJson(await embed({ content: { parts: [png, pdf] } }))).length, 1);
      assert.deepEqual(handed().input, {
        kind: 'content',
        parts: [
          { kind: 'media', mimeType: 'image/png', data: mediaSamples.png },
          { kind: 'media', mimeType: 'application/pdf', data: mediaSamples.pdf },
        ],
      });
    },
  ),
  gatewayCase('hands large media on by reference, and keeps nothing of them afterwards', async (world) => {
    const { embed, handed } = await createEmbedder(world, mediaEmbedding);
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 'page ')]);
    const { promise: until, resolve } = Promise.withResolvers<void>();
    world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
    const asked = embed({ content: { parts: [png, inline('application/pdf', bytes.toString('base64'))] } });
    await world.provider.received(1);
    const { input } = handed();
    const part = input.kind === 'content' ? input.parts[1] : undefined;
    assert.ok(part?.kind === 'blob', `found a part of kind ${part?.kind ?? ''}`);
    assert.deepEqual([part.mimeType, part.sizeBytes], ['application/pdf', bytes.length]);
    assert.ok((await bytesOf(part)).equals(bytes));
    resolve();
    okJson(await asked);
    await assert.rejects(bytesOf(part));
  }),
  gatewayCase('takes media inline and as files of the project [embeddings:body:content-parts]', async (world) => {
    const { embed, handed } = await createEmbedder(world, mediaEmbedding);
    okJson(await embed({ content: { parts: [png] } }));
    const fileUri = `files/${await uploadedId(world)}`;
    okJson(await embed({ content: { parts: [png, { fileData: { fileUri } }] } }));
    const { input } = handed();
    const file = input.kind === 'content' ? input.parts[1] : undefined;
    assert.ok(file?.kind === 'blob' && file.mimeType === pdfUpload.mime_type);
    assert.equal(`files/${file.file?.id}`, fileUri);
    const projectId = await world.createProject(world.accountId);
    const foreign = await world.createCaller({ projectId, model: mediaEmbedding });
    const body = { content: { parts: [{ fileData: { fileUri } }] } };
    assertRefused(await embed(body, { key: foreign.key }), 404, 'not_found');
  }),
  gatewayCase('refuses content of a kind that the model does not read', async (world) => {
    const { embed } = await createEmbedder(world);
    assertRefused(await embed({ content: { parts: [png] } }), 422, 'unsupported_content');
    assert.equal(world.provider.embedCalls.length, 0);
  }),
  gatewayCase(
    'hands flags over to a model that offers them, and refuses them for another [embeddings:body:content-flags]',
    async (world) => {
      const able = await createEmbedder(world, 'able');
      okJson(await able.embed({ content: { parts: [pdf], document_ocr: true, audio_track_extraction: true } }));
      const { input } = able.handed();
      assert.ok(input.kind === 'content' && input.documentOcr === true && input.audioTrackExtraction === true);
      const unable = await createEmbedder(world, 'unable');
      for (const flag of ['document_ocr', 'audio_track_extraction'])
        assertRefused(await unable.embed({ content: { parts: [pdf], [flag]: true } }), 422, 'model_incompatible');
      okJson(await unable.embed({ content: { parts: [pdf], document_ocr: false } }));
    },
    {
      catalog: [embeddingRow('able', ['document_ocr', 'audio_track_extraction']), embeddingRow('unable')],
    },
  ),
];

/** What an embedding may be asked for. */
export const embeddingsInputCases: readonly GatewayCase[] = [
  gatewayCase('takes 100 texts and not 101 [embeddings:body:input-list]', async (world) => {
    const { embed } = await createEmbedder(world);
    const texts = Array.from({ length: 100 }, (_, index) => `text ${index}`);
    assert.equal(vectorsOf(okJson(await embed({ input: texts }))).length, 100);
    assertRefused(await embed({ input: [...texts, 'more'] }), 422, 'invalid_request');
  }),
  gatewayCase('refuses an empty text, alone and in a list [embeddings:body:input-text]', async (world) => {
    const { embed } = await createEmbedder(world);
    for (const input of ['', ['a', '']]) assertRefused(await embed({ input }), 422, 'empty_message');
  }),
  ...contentCases,
  gatewayCase('hands tasks and titles over [embeddings:body:task-type] [embeddings:body:title]', async (world) => {
    const { embed, handed } = await createEmbedder(world);
    for (const task of embeddingTasks) {
      okJson(await embed({ input: 'a', task_type: task }));
      assert.equal(handed().task, task);
    }
    assertRefused(await embed({ input: 'a', task_type: 'OTHER' }), 422, 'invalid_request');
    okJson(await embed({ input: 'a', task_type: 'RETRIEVAL_DOCUMENT', title: 'Chapter one' }));
    assert.equal(handed().title, 'Chapter one');
    for (const task of [undefined, 'RETRIEVAL_QUERY'])
      assertRefused(await embed({ input: 'a', title: 'T', task_type: task }), 422, 'invalid_request');
  }),
  gatewayCase(
    'takes 1 to 3072 whole dimensions where the model does [embeddings:body:dimensions]',
    async (world) => {
      const { embed, handed } = await createEmbedder(world, 'any-length');
      for (const dimensions of [1, 3072]) {
        const [vector] = vectorsOf(okJson(await embed({ input: 'a', dimensions })));
        assert.ok(Array.isArray(vector) && vector.length === dimensions);
        assert.equal(handed().dimensions, dimensions);
      }
      for (const dimensions of [0, 3073, 1.5, '768'])
        assertRefused(await embed({ input: 'a', dimensions }), 422, 'invalid_request');
    },
    {
      catalog: [
        {
          ...embeddingRow('any-length'),
          embedding: { dimensions: { kind: 'range', min: 1, max: 3072 }, flags: [] },
        },
      ],
    },
  ),
  gatewayCase(
    'refuses dimensions that the model does not make [embeddings:body:model-dimensions]',
    async (world) => {
      const { embed } = await createEmbedder(world, 'only-768');
      for (const dimensions of [767, 769])
        assertRefused(await embed({ input: 'a', dimensions }), 422, 'model_incompatible');
      assert.equal(world.provider.embedCalls.length, 0);
      okJson(await embed({ input: 'a', dimensions: 768 }));
    },
    { catalog: [embeddingRow('only-768')] },
  ),
  gatewayCase('refuses what belongs to other routes', async (world) => {
    const { embed } = await createEmbedder(world);
    for (const field of ['messages', 'contents', 'user', 'stream'])
      assertRefused(await embed({ input: 'a', [field]: 'x' }), 422, 'unsupported_parameter');
  }),
];
