import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { chatsRefused, chatsTaken } from './ask-each.ts';
import { say } from './bodies.ts';
import { mediaSamples } from './media-samples.ts';

const image = (url: string): object => ({ type: 'image_url', image_url: { url } });
const dataUrl = (type: string, data: string): string => `data:${type};base64,${data}`;
const png = image(dataUrl('image/png', mediaSamples.png));
const audio = (format: string, data: string): object => ({ type: 'input_audio', input_audio: { data, format } });
const file = (fields: object): object => ({ type: 'file', file: fields });
const textPart = { type: 'text', text: 'What is it?' };
const withText = (part: object): object => say([textPart, part]);

export const chatMediaCases: readonly ConformanceCase[] = [
  conformanceCase('takes parts of four types', { charges: 1, rules: ['chat:message:user-content'] }, async (kit) => {
    await chatsTaken(kit, 'chat:message:user-content', [say([textPart])]);
    await chatsRefused(kit, 'chat:message:user-content', 'unsupported_content', [
      withText({ type: 'video_url', video_url: { url: 'x' } }),
    ]);
  }),
  conformanceCase(
    'takes PNG, JPEG and WebP as data URLs',
    {
      charges: 4,
      rules: ['chat:part:image-data-url', 'chat:part:image-several', 'chat:images:analysis-only'],
      needs: ['chat', 'can:image_input'],
    },
    async (kit) => {
      const three = [
        ['image/png', mediaSamples.png],
        ['image/jpeg', mediaSamples.jpeg],
        ['image/webp', mediaSamples.webp],
      ] as const;
      await chatsTaken(
        kit,
        'chat:part:image-data-url',
        three.map(([type, data]) => withText(image(dataUrl(type, data)))),
      );
      const answer = kit.taken('chat:part:image-several', await kit.chat(say([textPart, png, png])));
      const { value } = answer.at('choices', 0, 'message', 'content');
      kit.holds('chat:images:analysis-only', typeof value === 'string' || value === null, 'the content is no text');
    },
  ),
  conformanceCase(
    'refuses images that are remote, incomplete or of another type',
    {
      rules: ['chat:part:image-invalid', 'chat:part:image-type-matches', 'chat:part:image-remote-refused'],
      needs: ['chat', 'can:image_input'],
    },
    async (kit) => {
      const cut = mediaSamples.png.slice(0, 40);
      await chatsRefused(
        kit,
        'chat:part:image-invalid',
        'invalid_image',
        [
          dataUrl('image/gif', mediaSamples.gif),
          dataUrl('image/png', cut),
          'data:image/png;base64,',
          'data:image/png;base64,***',
        ].map((url) => withText(image(url))),
      );
      await chatsRefused(kit, 'chat:part:image-type-matches', 'invalid_image', [
        withText(image(dataUrl('image/png', mediaSamples.jpeg))),
      ]);
      kit.refused('chat:part:image-remote-refused', await kit.chat(withText(image('https://example.com/a.png'))), 422);
    },
  ),
  conformanceCase(
    'takes audio in seven formats, with and without a prefix',
    {
      charges: 8,
      rules: ['chat:part:input-audio-formats', 'chat:part:input-audio-shape'],
      needs: ['chat', 'can:audio_input'],
    },
    async (kit) => {
      const { wav, mp3, aac, ogg, flac, mp4, m4a } = mediaSamples;
      const formats = Object.entries({ wav, mp3, aac, ogg, flac, mp4, m4a });
      await chatsTaken(
        kit,
        'chat:part:input-audio-formats',
        formats.map(([format, data]) => withText(audio(format, data))),
      );
      await chatsRefused(kit, 'chat:part:input-audio-formats', 'unsupported_content', [
        withText(audio('midi', wav)),
        withText(audio('wav', mp3)),
      ]);
      await chatsTaken(kit, 'chat:part:input-audio-shape', [withText(audio('wav', dataUrl('audio/wav', wav)))]);
    },
  ),
  conformanceCase(
    'takes a file by its id or by its data, and not both',
    {
      charges: 2,
      rules: [
        'chat:part:file-exactly-one',
        'chat:part:file-data-url',
        'chat:part:file-url-refused',
        'chat:part:file-media',
      ],
      needs: ['chat', 'can:pdf_input'],
    },
    async (kit) => {
      const file_data = dataUrl('application/pdf', mediaSamples.pdf);
      await chatsTaken(kit, 'chat:part:file-data-url', [
        withText(file({ file_data })),
        withText(file({ file_data: mediaSamples.pdf, filename: 'a.pdf' })),
      ]);
      kit.refused('chat:part:file-data-url', await kit.chat(withText(file({ file_data: mediaSamples.pdf }))), 422);
      for (const fields of [{}, { file_data, file_id: '01900000-0000-7000-8000-000000000000' }])
        kit.refused('chat:part:file-exactly-one', await kit.chat(withText(file(fields))), 422);
      await chatsRefused(kit, 'chat:part:file-url-refused', 'unsupported_content', [
        withText(file({ file_url: 'https://example.com/a.pdf' })),
      ]);
      for (const wrong of [dataUrl('application/pdf', mediaSamples.png), dataUrl('application/zip', mediaSamples.zip)])
        kit.refused('chat:part:file-media', await kit.chat(withText(file({ file_data: wrong }))), 422);
    },
  ),
  conformanceCase(
    'takes both forms of a file id, and 404 for an unknown one',
    {
      charges: 2,
      rules: ['chat:part:file-id-forms', 'chat:part:file-state', 'files:use:must-be-active'],
      needs: ['chat'],
    },
    async (kit) => {
      const data = Buffer.from('The word is heron.').toString('base64');
      const made = kit.taken(
        'chat:part:file-id-forms',
        await kit.send({ path: '/files', body: { display_name: 'a.txt', mime_type: 'text/plain', data } }),
        201,
      );
      const id = made.at('id').text();
      await kit.until({ path: `/files/${id}` }, ({ json }) => json.at('status').value === 'active');
      await chatsTaken(kit, 'chat:part:file-id-forms', [
        withText(file({ file_id: id })),
        withText(file({ file_id: `files/${id}` })),
      ]);
      kit.refused(
        'chat:part:file-state',
        await kit.chat(withText(file({ file_id: '01900000-0000-7000-8000-000000000000' }))),
        404,
        'not_found',
      );
      await kit.send({ method: 'DELETE', path: `/files/${id}` });
      kit.refused('chat:part:file-state', await kit.chat(withText(file({ file_id: id }))), 404, 'not_found');
      kit.refused('files:use:must-be-active', await kit.chat(withText(file({ file_id: id }))), 404, 'not_found');
    },
  ),
];
