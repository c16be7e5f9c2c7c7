import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { generate } from './ask-each.ts';
import { contents, ofParts } from './bodies.ts';
import { mediaSamples } from './media-samples.ts';
import { refused, taken } from './generate-ask.ts';

const configured = (generationConfig: object): object => contents('Hello', { generationConfig });

const inline = (mimeType: string, data: string): object =>
  ofParts({ text: 'What is it?' }, { inlineData: { mimeType, data } });
const mediaTypes: Readonly<Record<string, readonly [type: string, data: string]>> = {
  image_input: ['image/png', mediaSamples.png],
  audio_input: ['audio/wav', mediaSamples.wav],
  video_input: ['video/mp4', mediaSamples.mp4],
  pdf_input: ['application/pdf', mediaSamples.pdf],
};

export const generateCases: readonly ConformanceCase[] = [
  conformanceCase(
    'returns candidates, ids and credits',
    {
      charges: 1,
      rules: [
        'generate:response:parts',
        'generate:response:ids',
        'generate:response:service-credits-only',
        'catalog:family:text',
      ],
    },
    async (kit) => {
      const answer = await generate(kit, contents('Hello'));
      const body = kit.taken('generate:response:parts', answer);
      kit.holds(
        'generate:response:parts',
        body.at('candidates', 0, 'content', 'parts', 0, 'text').text() !== '',
        'no text part',
      );
      kit.same(
        'generate:response:ids',
        [body.at('modelVersion').value, body.at('responseId').value],
        [kit.model('chat'), requestIdOf(answer)],
        'modelVersion and responseId',
      );
      kit.holds('generate:response:service-credits-only', body.at(kit.brand, 'credits').number() >= 0, 'no credits');
      kit.same(
        'generate:response:service-credits-only',
        answer.text.match(/"[^"]*credits[^"]*":/gu)?.length,
        1,
        'places that tell credits',
      );
      kit.holds('catalog:family:text', body.at('candidates').list().length > 0, 'no candidates');
    },
  ),
  conformanceCase(
    'generate: shows no usage by default',
    { charges: 1, rules: ['generate:response:usage-withheld'], needs: ['chat', 'strict'] },
    async (kit) => {
      kit.absent(
        'generate:response:usage-withheld',
        kit.taken('generate:response:usage-withheld', await generate(kit, contents('Hello'))).at('usageMetadata').value,
        'usageMetadata',
      );
    },
  ),
  conformanceCase(
    'wants contents of roles and parts',
    {
      charges: 1,
      rules: ['generate:body:contents', 'generate:part:kinds', 'generate:part:inline-data', 'generate:part:file-data'],
    },
    async (kit) => {
      await refused(kit, 'generate:body:contents', [
        {},
        { contents: [] },
        { contents: 'Hello' },
        { contents: [{ role: 'user' }] },
      ]);
      await refused(kit, 'generate:part:kinds', [ofParts({ foo: 1 }), ofParts({})]);
      const call = { functionCall: { name: 'look', args: {} } };
      const reply = { functionResponse: { name: 'look', response: { seen: true } } };
      await taken(kit, 'generate:part:kinds', [
        {
          contents: [
            { role: 'user', parts: [{ text: 'Look.' }] },
            { role: 'model', parts: [call] },
            { role: 'user', parts: [reply] },
          ],
        },
      ]);
      await refused(kit, 'generate:part:inline-data', [
        inline('image/png', '***'),
        ofParts({ inlineData: { mimeType: 'image/png' } }),
      ]);
      await refused(kit, 'generate:part:file-data', [ofParts({ fileData: { fileUri: 'https://example.com/a.pdf' } })]);
      kit.refused(
        'generate:part:file-data',
        await generate(kit, ofParts({ fileData: { fileUri: 'files/01900000-0000-7000-8000-000000000000' } })),
        404,
        'not_found',
      );
    },
  ),
  conformanceCase(
    'takes media of the types that the model reads, and no other',
    { charges: 6, rules: ['generate:media:accepted', 'generate:part:inline-data'] },
    async (kit) => {
      const { json } = await kit.send({ path: `/models/${kit.model('chat')}` });
      const capabilities = new Set(
        json
          .at('capabilities')
          .list()
          .map((one) => one.text()),
      );
      for (const [capability, [type, data]] of Object.entries(mediaTypes))
        if (capabilities.has(capability)) await taken(kit, 'generate:media:accepted', [inline(type, data)]);
      if (capabilities.has('image_input'))
        await taken(kit, 'generate:part:inline-data', [
          inline('image/jpeg', mediaSamples.jpeg),
          inline('image/webp', mediaSamples.webp),
        ]);
      await refused(kit, 'generate:media:accepted', [
        inline('image/gif', mediaSamples.gif),
        inline('audio/midi', mediaSamples.wav),
        inline('application/zip', mediaSamples.zip),
      ]);
    },
  ),
  conformanceCase(
    'takes text in a system instruction and nothing else',
    { charges: 1, rules: ['generate:system-instruction:text-only'] },
    async (kit) => {
      await taken(kit, 'generate:system-instruction:text-only', [
        contents('Hello', { systemInstruction: { parts: [{ text: 'Be brief.' }] } }),
      ]);
      await refused(kit, 'generate:system-instruction:text-only', [
        contents('Hello', {
          systemInstruction: { parts: [{ inlineData: { mimeType: 'image/png', data: mediaSamples.png } }] },
        }),
      ]);
    },
  ),
  conformanceCase(
    'takes settings of sampling, format and thinking',
    {
      charges: 3,
      rules: [
        'generate:config:sampling',
        'generate:config:response-format',
        'generate:config:modalities',
        'generate:config:image',
        'generate:config:seed-stop',
      ],
    },
    async (kit) => {
      await taken(kit, 'generate:config:sampling', [configured({ temperature: 1, topP: 0.5 })]);
      await refused(kit, 'generate:config:sampling', [
        configured({ temperature: 'warm' }),
        configured({ topP: '1' }),
        configured({ topK: 'x' }),
      ]);
      await taken(kit, 'generate:config:response-format', [
        configured({
          responseMimeType: 'application/json',
          responseJsonSchema: { type: 'object', properties: { city: { type: 'string' } } },
        }),
      ]);
      await taken(kit, 'generate:config:modalities', [configured({ responseModalities: ['TEXT'] })]);
      await refused(kit, 'generate:config:modalities', [configured({ responseModalities: ['VIDEO'] })]);
      await refused(kit, 'generate:config:image', [configured({ imageConfig: { aspectRatio: 16 } })]);
      await refused(kit, 'generate:config:seed-stop', [configured({ seed: 'x' }), configured({ stopSequences: 'x' })]);
    },
  ),
  conformanceCase(
    'takes settings that a model of its own form carries',
    {
      charges: 3,
      rules: ['generate:config:sampling', 'generate:config:thinking', 'generate:config:seed-stop'],
      needs: ['chat', 'test-mode'],
    },
    async (kit) => {
      await taken(kit, 'generate:config:sampling', [configured({ topK: 20, mediaResolution: 'MEDIA_RESOLUTION_LOW' })]);
      await taken(kit, 'generate:config:thinking', [configured({ thinkingConfig: { thinkingBudget: 128 } })]);
      await taken(kit, 'generate:config:seed-stop', [configured({ seed: 7, stopSequences: ['END'] })]);
    },
  ),
  conformanceCase('takes safety settings of known categories', { rules: ['generate:safety-settings'] }, async (kit) => {
    await refused(kit, 'generate:safety-settings', [
      contents('Hello', { safetySettings: [{ category: 'nope', threshold: 'x' }] }),
      contents('Hello', { safetySettings: 'none' }),
    ]);
  }),
];
