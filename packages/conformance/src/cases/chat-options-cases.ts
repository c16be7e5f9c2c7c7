import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { chatsRefused, chatsTaken } from './ask-each.ts';
import { hello, say, weatherTool } from './bodies.ts';

const bodyBytesMax = 2_000_000;

/** A body above the limit by so many bytes, which is never read as a chat. */
const tooLarge = (more: number): string => {
  const frame = JSON.stringify(say('')).length;
  return JSON.stringify(say('a'.repeat(bodyBytesMax - frame + more)));
};

export const chatOptionsCases: readonly ConformanceCase[] = [
  conformanceCase('takes temperatures from 0 to 2', { charges: 2, rules: ['chat:temperature:range'] }, async (kit) => {
    await chatsTaken(kit, 'chat:temperature:range', [
      { ...hello, temperature: 0 },
      { ...hello, temperature: 2 },
    ]);
    await chatsRefused(
      kit,
      'chat:temperature:range',
      'invalid_temperature',
      [-0.1, 2.1, '1', true].map((temperature) => ({ ...hello, temperature })),
    );
  }),
  conformanceCase(
    'takes only true and false for stream, and does not stream by default',
    { charges: 2, rules: ['chat:stream:type', 'chat:stream:default'] },
    async (kit) => {
      await chatsRefused(
        kit,
        'chat:stream:type',
        'invalid_stream',
        ['true', 1, {}].map((stream) => ({ ...hello, stream })),
      );
      for (const body of [hello, { ...hello, stream: false }]) {
        const { headers } = await kit.chat(body);
        kit.holds(
          'chat:stream:default',
          headers.get('content-type')?.startsWith('application/json') === true,
          `the type is ${headers.get('content-type')}`,
        );
      }
    },
  ),
  conformanceCase(
    'takes stream options beside a stream only',
    { charges: 2, rules: ['chat:stream-options:needs-stream', 'chat:stream-options:include-usage'] },
    async (kit) => {
      await chatsRefused(kit, 'chat:stream-options:needs-stream', 'invalid_stream_options', [
        { ...hello, stream_options: { include_usage: true } },
        { ...hello, stream: false, stream_options: { include_usage: true } },
      ]);
      const bad = [{ include_usage: 'yes' }, { include_usage: 1 }, true];
      await chatsRefused(
        kit,
        'chat:stream-options:include-usage',
        'invalid_stream_options',
        bad.map((stream_options) => ({ ...hello, stream: true, stream_options })),
      );
      await chatsTaken(
        kit,
        'chat:stream-options:include-usage',
        [true, false].map((include_usage) => ({ ...hello, stream: true, stream_options: { include_usage } })),
      );
    },
  ),
  conformanceCase(
    'knows three forms of answers',
    {
      charges: 3,
      rules: ['chat:response-format:types', 'chat:response-format:json-schema'],
      needs: ['chat', 'can:structured_output'],
    },
    async (kit) => {
      const json_schema = { name: 'city', schema: { type: 'object', properties: { city: { type: 'string' } } } };
      await chatsTaken(
        kit,
        'chat:response-format:types',
        [{ type: 'text' }, { type: 'json_object' }].map((response_format) => ({ ...hello, response_format })),
      );
      await chatsTaken(kit, 'chat:response-format:json-schema', [
        { ...hello, response_format: { type: 'json_schema', json_schema } },
      ]);
      for (const response_format of [{ type: 'xml' }, {}, 'json_object'])
        kit.refused('chat:response-format:types', await kit.chat({ ...hello, response_format }), 422);
      for (const wrong of [{ schema: json_schema.schema }, { name: 'city' }, undefined])
        kit.refused(
          'chat:response-format:json-schema',
          await kit.chat({ ...hello, response_format: { type: 'json_schema', json_schema: wrong } }),
          422,
        );
    },
  ),
  conformanceCase(
    'takes tools of three types and four choices',
    {
      charges: 5,
      rules: ['chat:tools:function-shape', 'chat:tool-choice:values', 'chat:tools:url-context-not-search'],
      needs: ['chat', 'can:functions'],
    },
    async (kit) => {
      await chatsTaken(kit, 'chat:tools:function-shape', [{ ...hello, tools: [weatherTool] }]);
      for (const tools of [
        [{ type: 'function', function: {} }],
        [{ type: 'nope' }],
        { type: 'function' },
        [{ type: 'function' }],
      ])
        kit.refused('chat:tools:function-shape', await kit.chat({ ...hello, tools }), 422);
      kit.refused(
        'chat:tools:url-context-not-search',
        await kit.chat({ ...hello, tools: [{ type: 'web_search' }] }),
        422,
      );
      const choices = ['auto', 'none', 'required', { type: 'function', function: { name: 'weather' } }];
      await chatsTaken(
        kit,
        'chat:tool-choice:values',
        choices.map((tool_choice) => ({ ...hello, tools: [weatherTool], tool_choice })),
      );
      for (const tool_choice of ['any', 7, { type: 'function' }])
        kit.refused('chat:tool-choice:values', await kit.chat({ ...hello, tools: [weatherTool], tool_choice }), 422);
    },
  ),
  conformanceCase(
    'takes no body of more than 2,000,000 bytes',
    { rules: ['chat:body:max-bytes', 'chat:body:media-counted-in-bytes', 'errors:status:413-body-too-large'] },
    async (kit) => {
      kit.refused('chat:body:max-bytes', await kit.chat(tooLarge(1)), 413, 'body_too_large');
      const wide = JSON.stringify(say('é'.repeat(bodyBytesMax / 2)));
      kit.refused('chat:body:media-counted-in-bytes', await kit.chat(wide), 413, 'body_too_large');
      const pieces = [tooLarge(1).slice(0, bodyBytesMax / 2), tooLarge(1).slice(bodyBytesMax / 2)].map((text) =>
        Buffer.from(text),
      );
      const chunked = await kit.send({ path: '/chat/completions', body: ReadableStream.from(pieces) });
      kit.refused('errors:status:413-body-too-large', chunked, 413, 'body_too_large');
    },
  ),
  conformanceCase('reads a body of exactly 2,000,000 bytes', { rules: ['chat:body:max-bytes'] }, async (kit) => {
    // A field that there is not, so that no large text is paid for.
    const frame = JSON.stringify({ ...say(''), no_such_field: 1 }).length;
    const body = JSON.stringify({ ...say('a'.repeat(bodyBytesMax - frame)), no_such_field: 1 });
    kit.refused('chat:body:max-bytes', await kit.chat(body), 422, 'unsupported_parameter');
  }),
];
