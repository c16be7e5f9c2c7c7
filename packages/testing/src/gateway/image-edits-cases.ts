import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { answerOf, drawn, formOf, imageModel, keyOf, mediaSettings, sendForm } from './media-ask.ts';
import { mediaSamples } from './media-samples.ts';

const prompt = 'A ferry at night.';
const png = Buffer.from(mediaSamples.png, 'base64');
const source = { image_url: `data:image/png;base64,${mediaSamples.png}` };
const editPath = '/images/edits';

/** Bodies of JSON that are refused, with the field that the message names. */
const refusedBodies: readonly (readonly [body: object, field: string])[] = [
  [{ prompt }, 'image'],
  [{ prompt, images: [] }, 'image'],
  [{ prompt, images: [{ image_url: 'https://example.com/a.png' }] }, 'images[0].image_url'],
  [{ prompt, images: [{ image_url: 'data:image/png;base64,AAAA' }] }, 'images[0].image_url'],
  [{ prompt, images: [source], mask: source }, 'mask'],
  [{ prompt, images: [source], input_fidelity: 'high' }, 'input_fidelity'],
];

/** The same of forms. */
const refusedForms: readonly (readonly [form: FormData, field: string])[] = [
  [
    formOf([
      ['image', Buffer.from('no image')],
      ['prompt', prompt],
    ]),
    'image[0]',
  ],
  [
    formOf([
      ['image', png],
      ['mask', png],
      ['prompt', prompt],
    ]),
    'mask',
  ],
  [
    formOf([
      ['image', png],
      ['prompt', prompt],
      ['prompt', prompt],
    ]),
    'prompt',
  ],
  [
    formOf([
      ['image', png],
      ['prompt', prompt],
      ['n', 'two'],
    ]),
    'n',
  ],
  [
    formOf([
      ['image', png],
      ['prompt', png],
    ]),
    'prompt',
  ],
];

/** Images of a text and other images. */
export const imageEditsCases: readonly GatewayCase[] = [
  gatewayCase(
    'images: edits images that come as a form, and knows the form again by its parts',
    async (world) => {
      const key = await keyOf(world, imageModel);
      world.provider.script(answerOf(drawn(mediaSamples.png)));
      const large = Buffer.concat([png.subarray(0, -12), Buffer.alloc(200_000), png.subarray(-12)]);
      const form = (second = large) =>
        formOf([
          ['image[]', png],
          ['image[]', second],
          ['prompt', prompt],
          ['n', '1'],
          ['stream', 'false'],
        ]);
      const answer = await sendForm(world, { path: editPath, form: form(), key, identity: 'form' });
      assert.deepEqual(okJson(answer).at('data').value, [{ b64_json: mediaSamples.png }]);
      const again = await sendForm(world, { path: editPath, form: form(), key, identity: 'form' });
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [answer.text, 'true']);
      const otherText = form();
      otherText.set('prompt', 'Another.');
      for (const other of [otherText, form(png)])
        assertRefused(
          await sendForm(world, { path: editPath, form: other, key, identity: 'form' }),
          409,
          'ai_idempotency_conflict',
        );
      const parts = jsonOf(world.provider.calls.at(-1)?.call.contents).at(0, 'parts');
      assert.deepEqual(
        parts.list().map((part) => part.at('kind').value),
        ['text', 'media', 'blob'],
      );
      assert.equal(world.provider.calls.length, 1);
    },
    mediaSettings,
  ),
  gatewayCase(
    'images: edits images that come in a body of JSON, inline or as files of the project',
    async (world) => {
      const key = await keyOf(world, imageModel);
      world.provider.script(answerOf(drawn(mediaSamples.png)));
      const upload = { display_name: 'Dot', mime_type: 'image/png', data: mediaSamples.png };
      const uploaded = await world.send({ path: '/files', body: upload });
      const fileId = jsonOf(JSON.parse(uploaded.text)).at('id').text();
      const body = { prompt, images: [source, { file_id: fileId }] };
      okJson(await world.send({ path: editPath, key, body }));
      const parts = jsonOf(world.provider.calls.at(-1)?.call.contents).at(0, 'parts');
      assert.deepEqual(
        parts.list().map((part) => part.at('mimeType').value),
        [undefined, 'image/png', 'image/png'],
      );
      const unknown = { prompt, images: [{ file_id: crypto.randomUUID() }] };
      assertRefused(await world.send({ path: editPath, key, body: unknown }), 404, 'not_found');
    },
    mediaSettings,
  ),
  gatewayCase(
    'images: refuses an edit that it cannot make, and names the field',
    async (world) => {
      const key = await keyOf(world, imageModel);
      for (const [body, field] of refusedBodies) {
        const answer = await world.send({ path: editPath, key, body });
        assert.equal(answer.status, 422, answer.text);
        assert.ok(answer.text.includes(`The field ${field}`), answer.text);
      }
      for (const [form, field] of refusedForms) {
        const answer = await sendForm(world, { path: editPath, form, key });
        assert.equal(answer.status, 422, answer.text);
        assert.ok(answer.text.includes(`The field ${field}`), answer.text);
      }
      assert.equal(world.provider.calls.length, 0);
    },
    mediaSettings,
  ),
];
