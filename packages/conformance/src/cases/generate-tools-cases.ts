import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { generate } from './ask-each.ts';
import { contents, directed } from './bodies.ts';
import { refused, taken, look } from './generate-ask.ts';

const declared = (...functionDeclarations: readonly object[]): object =>
  contents('Hello', { tools: [{ functionDeclarations }] });

const moded = (mode: string): object =>
  contents('Hello', {
    tools: [{ functionDeclarations: [look] }],
    toolConfig: { functionCallingConfig: { mode } },
  });

const spoken = (speechConfig: object): object =>
  contents('Good day.', { generationConfig: { responseModalities: ['AUDIO'], speechConfig } });

export const generateToolsCases: readonly ConformanceCase[] = [
  conformanceCase(
    'declares functions in two forms, with their limits',
    {
      charges: 4,
      rules: [
        'generate:tools:declarations',
        'generate:tools:declaration-limits',
        'generate:tools:schema-exclusive',
        'generate:tools:kinds',
      ],
      needs: ['chat', 'can:functions'],
    },
    async (kit) => {
      await taken(kit, 'generate:tools:declarations', [
        declared(look),
        declared({ name: 'look', parametersJsonSchema: { type: 'object' } }),
      ]);
      await taken(kit, 'generate:tools:kinds', [declared(look)]);
      await taken(kit, 'generate:tools:declaration-limits', [declared({ ...look, name: 'a'.repeat(128) })]);
      await refused(kit, 'generate:tools:declaration-limits', [
        declared({ ...look, name: 'a'.repeat(129) }),
        declared({ ...look, name: '1a' }),
        declared(...Array.from({ length: 513 }, (_, at) => ({ name: `f${at}` }))),
      ]);
      await refused(kit, 'generate:tools:schema-exclusive', [
        declared({ ...look, parametersJsonSchema: { type: 'object' } }),
        declared(look, look),
      ]);
    },
  ),
  conformanceCase(
    'refuses the tools of other routes',
    {
      charges: 4,
      rules: ['generate:tools:maps-refused', 'generate:tools:tool-config'],
      needs: ['chat', 'test-mode', 'can:functions'],
    },
    async (kit) => {
      await refused(
        kit,
        'generate:tools:maps-refused',
        [{ googleMaps: {} }, { maps: {} }].map((tool) => contents('Hello', { tools: [tool] })),
      );
      await taken(kit, 'generate:tools:tool-config', ['AUTO', 'ANY', 'NONE', 'VALIDATED'].map(moded));
      await refused(kit, 'generate:tools:tool-config', [moded('SOMETIMES')]);
    },
  ),
  conformanceCase(
    'refuses the tools of other interfaces, and fields in snake case',
    {
      rules: ['generate:tools:snake-case-lenient', 'generate:compat:google', 'generate:tools:others-refused'],
      needs: ['chat', 'strict'],
    },
    async (kit) => {
      const others = [{ fileSearch: {} }, { computerUse: {} }, { googleSearchRetrieval: {} }];
      await refused(
        kit,
        'generate:tools:others-refused',
        others.map((tool) => contents('Hello', { tools: [tool] })),
        'unsupported_parameter',
      );
      await refused(kit, 'generate:tools:snake-case-lenient', [
        contents('Hello', { generation_config: {} }),
        contents('Hello', { tools: [{ function_declarations: [look] }] }),
      ]);
      await refused(kit, 'generate:compat:google', [contents('Hello', { labels: {} })]);
    },
  ),
  conformanceCase(
    'runs code and shows it',
    {
      charges: 2,
      rules: ['generate:code-execution:parts', 'generate:tools:several-per-object', 'ledger:charged:tools'],
      needs: ['chat', 'test-mode', 'can:code_execution', 'can:functions'],
    },
    async (kit) => {
      const answer = await generate(kit, contents(directed('code print(6 * 7)'), { tools: [{ codeExecution: {} }] }));
      if (answer.status === 422) return;
      const parts = kit.taken('generate:code-execution:parts', answer).at('candidates', 0, 'content', 'parts').list();
      kit.holds(
        'generate:code-execution:parts',
        parts.some((part) => part.at('executableCode').value !== undefined) &&
          parts.some((part) => part.at('codeExecutionResult', 'output').text().includes('42')),
        'the code or its result is missing',
      );
      await taken(kit, 'generate:tools:several-per-object', [
        contents('Hello', { tools: [{ functionDeclarations: [look], codeExecution: {} }] }),
      ]);
      kit.holds(
        'ledger:charged:tools',
        answer.json.at(kit.brand, 'credits').number() > 0,
        'the use of a tool costs nothing',
      );
    },
  ),
  conformanceCase(
    'gives a signature to the client and takes it back',
    {
      charges: 2,
      rules: ['generate:thought-signature', 'generate:part:kinds'],
      needs: ['chat', 'directives', 'can:functions'],
    },
    async (kit) => {
      const tools = [{ functionDeclarations: [look] }];
      const answer = kit.taken(
        'generate:part:kinds',
        await generate(kit, contents(directed('tool look {}'), { tools })),
      );
      const content = answer.at('candidates', 0, 'content');
      const part = content
        .at('parts')
        .list()
        .find((one) => one.at('functionCall').value !== undefined);
      kit.need('generate:part:kinds', part?.at('functionCall', 'name').value === 'look', 'no call of the function');
      const reply = { role: 'user', parts: [{ functionResponse: { name: 'look', response: { seen: true } } }] };
      const next = await generate(kit, {
        contents: [{ role: 'user', parts: [{ text: 'Look.' }] }, content.value, reply],
        tools,
      });
      kit.same('generate:thought-signature', next.status, 200, 'the status when the call is sent back as it came');
    },
  ),
  conformanceCase(
    'returns no candidates for a blocked prompt',
    { charges: 1, rules: ['generate:response:prompt-block'], needs: ['chat', 'test-mode'] },
    async (kit) => {
      const answer = await generate(kit, contents(directed('block')));
      if (answer.status === 422) return;
      const body = kit.taken('generate:response:prompt-block', answer);
      kit.holds(
        'generate:response:prompt-block',
        body.at('candidates').list().length === 0 && body.at('promptFeedback').value !== undefined,
        'candidates, or no promptFeedback',
      );
      kit.holds('generate:response:prompt-block', body.at(kit.brand, 'credits').number() >= 0, 'no credits');
    },
  ),
  conformanceCase(
    'takes no body of more than 20,971,520 bytes',
    { rules: ['generate:body:max-size', 'limits:units:binary'] },
    async (kit) => {
      const frame = JSON.stringify(contents('')).length;
      const answer = await generate(kit, JSON.stringify(contents('a'.repeat(20_971_521 - frame))));
      kit.refused('generate:body:max-size', answer, 413, 'body_too_large');
      kit.refused('limits:units:binary', answer, 413, 'body_too_large');
    },
  ),
  conformanceCase(
    'makes images with a model of images',
    {
      charges: 1,
      rules: ['catalog:family:image', 'generate:config:image', 'generate:response:parts'],
      needs: ['image', 'test-mode'],
    },
    async (kit) => {
      const answer = await kit.send({
        by: 'image',
        path: `/models/${kit.model('image')}:generateContent`,
        body: contents('A red house.', { generationConfig: { imageConfig: { aspectRatio: '1:1' } } }),
      });
      const parts = kit.taken('catalog:family:image', answer).at('candidates', 0, 'content', 'parts').list();
      const image = parts.find((part) => part.at('inlineData', 'mimeType').text().startsWith('image/'));
      kit.holds('catalog:family:image', (image?.at('inlineData', 'data').text().length ?? 0) > 0, 'no image came');
      kit.same('generate:config:image', answer.status, 200, 'the status with an aspect ratio');
      kit.holds('generate:response:parts', image !== undefined, 'no inlineData');
    },
  ),
  conformanceCase(
    'speaks with a model of speech, and reports the type of its audio',
    {
      charges: 1,
      rules: ['catalog:family:speech', 'generate:response:media-mime', 'generate:config:speech'],
      needs: ['speech', 'test-mode'],
    },
    async (kit) => {
      const path = `/models/${kit.model('speech')}:generateContent`;
      const voice = { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } };
      const answer = kit.taken('generate:config:speech', await kit.send({ by: 'speech', path, body: spoken(voice) }));
      const data = answer.at('candidates', 0, 'content', 'parts', 0, 'inlineData');
      kit.holds('catalog:family:speech', data.at('data').text() !== '', 'no audio came');
      kit.holds(
        'generate:response:media-mime',
        /^audio\/(l16;.*rate=\d+|wav|mpeg|mp3|ogg)/iu.test(data.at('mimeType').text()),
        `the type is ${data.at('mimeType').text()}`,
      );
      kit.refused(
        'generate:config:speech',
        await kit.send({ by: 'speech', path, body: spoken({ voiceConfig: {}, nope: 1 }) }),
        422,
      );
    },
  ),
];
