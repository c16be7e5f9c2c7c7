import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { parseJson } from '../wire/json.ts';
import { directed } from './bodies.ts';
import {
  accessOf,
  bring,
  createSession,
  liveBody,
  liveTurn,
  openSession,
  sessionRecord,
  turnOf,
} from './live-access.ts';
import { needs, directing } from './live-ask.ts';

const sound = Buffer.alloc(64).toString('base64');

const badFrames: readonly string[] = [
  'x',
  '[]',
  JSON.stringify({ foo: {} }),
  JSON.stringify({ clientContent: { turns: 'Hello' } }),
  JSON.stringify({ realtimeInput: { audio: { data: sound, mimeType: 'audio/mp3' } } }),
  JSON.stringify({ realtimeInput: { video: { data: sound, mimeType: 'video/mp4' } } }),
];

const spoken: readonly object[] = [
  { realtimeInput: { audio: { data: sound, mimeType: 'audio/pcm;rate=16000' } } },
  { realtimeInput: { video: { data: sound, mimeType: 'image/jpeg' } } },
  { realtimeInput: { mediaChunks: [{ data: sound, mimeType: 'audio/pcm;rate=16000' }] } },
  { realtimeInput: { text: 'Hello' } },
];

export const liveCases: readonly ConformanceCase[] = [
  conformanceCase(
    'gives an access to a socket',
    {
      rules: [
        'live:create:response',
        'live:create:body',
        'catalog:family:realtime',
        'live:access:expires-60s',
        'live:requests:query',
      ],
      needs,
    },
    async (kit) => {
      const access = await accessOf(kit, 'live:create:body');
      kit.holds('live:create:body', access.at('id').text() !== '', 'no id');
      kit.holds(
        'live:create:response',
        access.at('id').text() !== '' && access.at('access_key').text() !== '',
        'id or access_key',
      );
      kit.holds(
        'live:create:response',
        /^wss?:\/\//u.test(access.at('url').text()),
        `the url ${access.at('url').text()}`,
      );
      const leftMs = Date.parse(access.at('expires_at').text()) - Date.now();
      kit.holds('live:access:expires-60s', leftMs > 50_000 && leftMs < 70_000, `expires_at is ${leftMs} ms ahead`);
      kit.holds('catalog:family:realtime', access.at('id').text() !== '', 'no session');
      const request = await kit.send({ by: 'realtime', path: `/requests/${access.at('id').text()}` });
      kit.same('live:requests:query', request.status, 200, 'the status of its request');
    },
  ),
  conformanceCase(
    'takes the settings of the contract alone',
    { rules: ['live:create:config-subset', 'live:create:no-session-resumption'], needs },
    async (kit) => {
      for (const more of [{ model: 'x' }, { nope: 1 }])
        kit.refused(
          'live:create:config-subset',
          await createSession(kit, { config: { ...liveBody.config, ...more } }),
          422,
        );
      kit.refused(
        'live:create:no-session-resumption',
        await createSession(kit, { config: { ...liveBody.config, sessionResumption: {} } }),
        422,
      );
      await accessOf(kit, 'live:create:config-subset', {
        config: { generationConfig: { responseModalities: ['TEXT'], temperature: 1 }, systemInstruction: 'Be brief.' },
      });
    },
  ),
  conformanceCase(
    'opens with the access alone, and says setupComplete first',
    {
      charges: 1,
      rules: [
        'live:socket:access-message',
        'live:socket:setup-complete-first',
        'live:close:normal-and-restart',
        'live:settle:at-end',
      ],
      needs,
    },
    async (kit) => {
      const access = await accessOf(kit, 'live:socket:access-message');
      const socket = await bring(kit, access);
      const first = await socket.next();
      kit.holds('live:socket:access-message', first !== null, 'the socket was closed');
      kit.same('live:socket:setup-complete-first', parseJson(first ?? '').keys(), ['setupComplete'], 'the first frame');
      socket.close();
      kit.same('live:close:normal-and-restart', await socket.closed, 1000, 'the code of a normal end');
      const record = await sessionRecord(kit, 'live:settle:at-end', access.at('id').text());
      kit.same(
        'live:settle:at-end',
        [record.at('status').value, record.at('reserved_credits').value],
        ['completed', 0],
        'status and reserved_credits',
      );
    },
  ),
  conformanceCase(
    'speaks in turns, and charges them at the end',
    {
      charges: 1,
      rules: [
        'live:server:messages',
        'live:client:client-content',
        'live:server:withheld',
        'live:settle:at-end',
        'ledger:charged:live-content',
        'live:requests:query',
      ],
      needs: directing,
    },
    async (kit) => {
      const { socket, id } = await openSession(kit, 'live:server:messages');
      socket.send(liveTurn(directed('echo heron')));
      const frames = await turnOf(socket);
      const text = frames
        .flatMap((frame) => frame.at('serverContent', 'modelTurn', 'parts').list())
        .map((part) => part.at('text').text())
        .join('');
      kit.same('live:server:messages', text, 'heron', 'what the model says');
      kit.same(
        'live:client:client-content',
        frames.at(-1)?.at('serverContent', 'turnComplete').value,
        true,
        'the end of the turn',
      );
      kit.holds(
        'live:server:withheld',
        !frames.some((frame) =>
          frame.keys().some((name) => ['usageMetadata', 'sessionResumptionUpdate'].includes(name)),
        ),
        'a frame shows what is withheld',
      );
      const during = await kit.send({ by: 'realtime', path: `/requests/${id}` });
      kit.same('live:requests:query', during.json.at('status').value, 'processing', 'status while it is open');
      socket.close();
      const record = await sessionRecord(kit, 'live:settle:at-end', id);
      kit.same('live:settle:at-end', record.at('status').value, 'completed', 'status');
      kit.holds('ledger:charged:live-content', record.at('charged_credits').number() > 0, 'a session costs nothing');
    },
  ),
  conformanceCase(
    'relays calls of functions, and takes their results',
    { rules: ['live:server:messages', 'live:client:tool-response'], needs: directing },
    async (kit) => {
      const config = {
        ...liveBody.config,
        tools: [{ functionDeclarations: [{ name: 'look', parameters: { type: 'object', properties: {} } }] }],
      };
      const access = await accessOf(kit, 'live:server:messages', { config });
      const socket = await bring(kit, access);
      await socket.next();
      socket.send(liveTurn(directed('tool look {}')));
      const call = (await turnOf(socket)).at(-1)?.at('toolCall', 'functionCalls', 0);
      kit.same('live:server:messages', call?.at('name').value, 'look', 'the name of the call');
      socket.send(
        JSON.stringify({
          toolResponse: { functionResponses: [{ id: call?.at('id').value, name: 'look', response: { seen: true } }] },
        }),
      );
      const frames = await turnOf(socket);
      kit.same(
        'live:client:tool-response',
        frames.at(-1)?.at('serverContent', 'turnComplete').value,
        true,
        'the end of the turn',
      );
      socket.close();
    },
  ),
  conformanceCase(
    'takes sound, frames and text as they come',
    {
      rules: ['live:client:realtime-audio', 'live:client:realtime-video', 'live:client:realtime-keys'],
      needs: directing,
    },
    async (kit) => {
      const { socket } = await openSession(kit, 'live:client:realtime-keys');
      for (const message of spoken) socket.send(JSON.stringify(message));
      socket.send(liveTurn(directed('echo heard')));
      const frames = await turnOf(socket);
      for (const rule of [
        'live:client:realtime-audio',
        'live:client:realtime-video',
        'live:client:realtime-keys',
      ] as const)
        kit.holds(
          rule,
          frames.some((frame) => frame.at('serverContent').value !== undefined),
          'the session was closed by a message of the contract',
        );
      socket.close();
    },
  ),
  conformanceCase(
    'closes with 1007 for a frame that is no message',
    { rules: ['live:close:bad-frame', 'live:client:realtime-audio', 'live:client:realtime-video'], needs },
    async (kit) => {
      for (const frame of badFrames) {
        const { socket } = await openSession(kit, 'live:close:bad-frame');
        socket.send(frame);
        const code = await socket.closed;
        kit.same('live:close:bad-frame', code, 1007, `the code for ${frame}`);
        if (frame.includes('audio/mp3'))
          kit.same('live:client:realtime-audio', code, 1007, 'the code for audio of another type');
        if (frame.includes('video/mp4')) kit.same('live:client:realtime-video', code, 1007, 'the code for a video');
      }
    },
  ),
  conformanceCase(
    'closes with 1008 for anything but an access first',
    { rules: ['live:close:before-setup'], needs },
    async (kit) => {
      const access = await accessOf(kit, 'live:close:before-setup');
      for (const frame of [liveTurn('Hello'), 'x', '{"id":"a","access_key":"b","more":1}']) {
        const socket = await bring(kit, access, frame);
        kit.same('live:close:before-setup', await socket.closed, 1008, `the code for ${frame}`);
      }
    },
  ),
];
