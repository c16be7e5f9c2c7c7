import assert from 'node:assert/strict';
import type { Part, Usage } from '@tollgate/provider';
import { assertRefused, okJson, requestIdOf, type Answer } from './answer.ts';
import { namedEvents } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { text } from './generate-stream-reading.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { halfSecond } from './half-second.ts';
import { formOf, keyOf, mediaSettings, sendForm, speechModel } from './media-ask.ts';
import { mediaSamples } from './media-samples.ts';
import { suiteModel } from './suite-tariff.ts';

const usage: readonly Usage[] = [
  { unit: 'input_text_tokens', quantity: 10, confirmed: true },
  { unit: 'output_audio_tokens', quantity: 5, confirmed: true },
];
const spoken = (...parts: readonly Part[]) => ({ kind: 'answer', generation: { text: '', parts, usage } }) as const;
const samples = Buffer.alloc(4_800, 1);
const raw = (bytes: Buffer): Part => ({
  kind: 'media',
  mimeType: 'audio/L16;rate=16000',
  data: bytes.toString('base64'),
});

const speechPath = '/audio/speech';
const said = { input: 'Good day.', voice: 'Kore' };

const speak = (world: GatewayWorld, key: string, body: object = {}, identity = ''): Promise<Answer> =>
  world.send({
    path: speechPath,
    key,
    body: { ...said, ...body },
    headers: identity === '' ? {} : { 'idempotency-key': identity },
  });

const speechRefusals: readonly (readonly [body: object, field: string])[] = [
  [{ input: '' }, 'input'],
  [{ voice: undefined }, 'voice'],
  [{ response_format: 'ogg' }, 'response_format'],
  [{ speed: 2 }, 'speed'],
  [{ stream_format: 'sse' }, 'stream_format'],
  [{ lang: 'en' }, 'lang'],
];

const wave = Buffer.from(mediaSamples.wav, 'base64');
const transcriptPath = '/audio/transcriptions';

const transcribe = (
  world: GatewayWorld,
  fields: readonly (readonly [string, string | Uint8Array])[] = [],
  {
    path = transcriptPath,
    file = wave,
    identity,
  }: { readonly path?: string; readonly file?: Buffer; readonly identity?: string } = {},
): Promise<Answer> => {
  const form = formOf([['file', file], ['model', suiteModel], ...fields]);
  return sendForm(world, { path, form, key: world.key, identity });
};

const transcriptRefusals: readonly (readonly [name: string, value: string])[] = [
  ['response_format', 'diarized_json'],
  ['response_format', 'srt'],
  ['response_format', 'vtt'],
  ['timestamp_granularities[]', 'word'],
  ['include[]', 'logprobs'],
  ['temperature', '2'],
  ['temperature', 'warm'],
  ['chunking_strategy', '{"type":"server_vad"}'],
  ['known_speaker_names[]', 'Ana'],
  ['stream', 'maybe'],
];

/** Text read aloud. */
const speechCases: readonly GatewayCase[] = [
  gatewayCase(
    'speech: responds with the bytes of the audio, charges once, and replays them',
    async (world) => {
      const key = await keyOf(world, speechModel);
      world.provider.script(spoken(raw(samples.subarray(0, 2_400)), raw(samples.subarray(2_400))));
      const body = { response_format: 'wav', instructions: 'Softly.', speed: 1 };
      const answer = await speak(world, key, body, 'wav');
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(
        ['content-type', 'content-length', 'idempotency-replayed'].map((name) => answer.headers.get(name)),
        ['audio/wav', String(44 + samples.length), 'false'],
      );
      assert.equal(answer.text.slice(0, 4), 'RIFF');
      const again = await speak(world, key, body, 'wav');
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [answer.text, 'true']);
      const record = await world.record(requestIdOf(answer));
      const file = Buffer.from(record.at('response', 'audio').text(), 'base64');
      assert.deepEqual([file.readUInt32LE(24), file.subarray(44)], [16_000, samples]);
      assert.equal(record.at('charged_credits').value, 0.02);
      const [{ call } = assert.fail()] = world.provider.calls;
      assert.deepEqual(
        [call.modalities, call.speech, call.audioFormat, call.systemInstruction],
        [['audio'], { kind: 'one_voice', voice: 'Kore' }, 'wav', 'Softly.'],
      );
      assert.equal(world.provider.calls.length, 1);
    },
    mediaSettings,
  ),
  gatewayCase(
    'speech: gives samples where they are asked for, and any other audio as the model gave it',
    async (world) => {
      const key = await keyOf(world, speechModel);
      world.provider.script(spoken(raw(samples)));
      const pcm = await speak(world, key, { response_format: 'pcm' });
      assert.deepEqual(
        [pcm.headers.get('content-type'), pcm.text],
        ['audio/pcm;rate=16000', samples.toString('latin1')],
      );
      world.provider.script(spoken({ kind: 'media', mimeType: 'audio/mpeg', data: mediaSamples.mp3 }));
      const mp3 = await speak(world, key, { response_format: 'mp3' });
      assert.equal(mp3.headers.get('content-type'), 'audio/mpeg');
      assert.equal(mp3.headers.get('content-length'), String(Buffer.from(mediaSamples.mp3, 'base64').length));
    },
    mediaSettings,
  ),
  gatewayCase(
    'speech: reports that a model gave no audio, each time',
    async (world) => {
      const key = await keyOf(world, speechModel);
      world.provider.script({ kind: 'answer', generation: { text: '', usage, finish: 'content_filter' } });
      for (let turn = 0; turn < 2; turn += 1) {
        const answer = await speak(world, key, {}, 'none');
        assertRefused(answer, 502, 'request_failed');
        assert.equal((await world.record(requestIdOf(answer))).at('status').value, 'completed');
      }
      assert.equal(world.provider.calls.length, 1);
    },
    mediaSettings,
  ),
  gatewayCase(
    'speech: refuses what it does not take, and names the field',
    async (world) => {
      const key = await keyOf(world, speechModel);
      for (const [body, field] of speechRefusals) {
        const answer = await speak(world, key, body);
        assert.equal(answer.status, 422, answer.text);
        assert.ok(answer.text.includes(`The field ${field}`), answer.text);
      }
      assertRefused(await speak(world, world.key), 422, 'model_incompatible');
      assert.equal(world.provider.calls.length, 0);
      world.provider.script({ kind: 'not_executed', reason: 'invalid_request', field: 'audioFormat' });
      const refused = assertRefused(await speak(world, key, { response_format: 'opus' }), 422, 'unsupported_parameter');
      assert.equal(refused.at('param').value, 'response_format');
    },
    mediaSettings,
  ),
  gatewayCase(
    'speech: keeps the hold of audio whose outcome is unknown',
    async (world) => {
      const key = await keyOf(world, speechModel);
      world.provider.script({ kind: 'unknown' });
      const answer = await speak(world, key, {}, 'unknown');
      assertRefused(answer, 502, 'request_failed');
      const record = await world.record(requestIdOf(answer));
      assert.equal(record.at('status').value, 'uncertain');
      assert.ok(record.at('reserved_credits').number() > 0);
      assert.notEqual((await speak(world, key, {}, 'unknown')).status, 200);
      assert.equal(world.provider.calls.length, 1);
    },
    mediaSettings,
  ),
];

/** Audio written down. */
const transcriptCases: readonly GatewayCase[] = [
  gatewayCase(
    'transcriptions: responds with text, usage and credits, charges once, and its record and replay are the same',
    async (world) => {
      world.provider.script({ kind: 'answer', generation: { text: 'Good day.' } });
      const fields = [
        ['language', 'en'],
        ['prompt', 'Names: Ana.'],
        ['temperature', '0.5'],
      ] as const;
      const answer = await transcribe(world, fields, { identity: 'whole' });
      const body = okJson(answer);
      assert.equal(body.at('text').value, 'Good day.');
      assert.deepEqual(body.at('usage').value, {
        type: 'tokens',
        input_tokens: 10,
        input_token_details: { text_tokens: 10, audio_tokens: 0 },
        output_tokens: 5,
        total_tokens: 15,
      });
      assert.equal(body.at('service', 'credits').value, 0.02);
      const again = await transcribe(world, fields, { identity: 'whole' });
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [answer.text, 'true']);
      assert.deepEqual((await world.record(requestIdOf(answer))).at('response').value, body.value);
      const [{ call } = assert.fail()] = world.provider.calls;
      assert.deepEqual(call.transcription, { language: 'en', prompt: 'Names: Ana.' });
      assert.match(call.systemInstruction ?? '', /word for word.*is en\..*Names: Ana\./s);
      assert.deepEqual(call.contents, [
        { role: 'user', parts: [{ kind: 'media', mimeType: 'audio/wav', data: mediaSamples.wav }] },
      ]);
      assert.deepEqual([call.sampling, world.provider.calls.length], [{ temperature: 0.5 }, 1]);
    },
    mediaSettings,
  ),
  gatewayCase(
    'transcriptions: responds with plain text where that is asked for, with seconds where audio is metered by them, and in English',
    async (world) => {
      world.provider.script({ kind: 'answer', generation: { text: 'Good day.' } });
      const plain = await transcribe(world, [['response_format', 'text']], { identity: 'plain' });
      assert.deepEqual([plain.headers.get('content-type'), plain.text], ['text/plain; charset=utf-8', 'Good day.']);
      assert.equal((await transcribe(world, [['response_format', 'text']], { identity: 'plain' })).text, plain.text);
      okJson(await transcribe(world, [], { path: '/audio/translations' }));
      const { transcription, systemInstruction } = world.provider.calls.at(-1)?.call ?? assert.fail();
      assert.deepEqual(transcription, { translate: true });
      assert.match(systemInstruction ?? '', /in English/);
      const seconds = [{ unit: 'input_audio_seconds', quantity: 0, confirmed: true }] as const;
      world.provider.script({ kind: 'answer', generation: { text: 'Good day.', usage: seconds } });
      const metered = okJson(await transcribe(world));
      assert.deepEqual(metered.at('usage').value, { type: 'duration', seconds: 0 });
    },
    mediaSettings,
  ),
  gatewayCase(
    'transcriptions: a verbose response has the length of the audio and the language where they are known, and no segments',
    async (world) => {
      const verbose = ['response_format', 'verbose_json'] as const;
      const fields = [verbose, ['timestamp_granularities[]', 'segment'], ['language', 'pt']] as const;
      const known = await transcribe(world, fields, { file: halfSecond(), identity: 'verbose' });
      const body = okJson(known);
      assert.deepEqual([body.at('language').value, body.at('duration').value], ['pt', 0.5]);
      assert.equal(body.at('segments').value, undefined);
      const again = await transcribe(world, fields, { file: halfSecond(), identity: 'verbose' });
      assert.equal(again.text, known.text);
      const english = okJson(await transcribe(world, [verbose], { path: '/audio/translations' }));
      assert.equal(english.at('language').value, 'english');
      const seconds = [{ unit: 'input_audio_seconds', quantity: 0, confirmed: true }] as const;
      world.provider.script({ kind: 'answer', generation: { text: 'Good day.', usage: seconds } });
      const metered = okJson(await transcribe(world, [verbose], { file: Buffer.from(mediaSamples.mp3, 'base64') }));
      assert.deepEqual([metered.at('language').value, metered.at('duration').value], [undefined, 0]);
    },
    mediaSettings,
  ),
  gatewayCase(
    'transcriptions: a stream tells the words as they come, then the whole, and is replayed byte for byte',
    async (world) => {
      world.provider.script({ kind: 'answer', pieces: [text('One '), text('two.')] });
      const answer = await transcribe(world, [['stream', 'true']], { identity: 'stream' });
      const events = namedEvents(answer.text);
      assert.deepEqual(
        events.map(({ data }) => data.at('delta').value ?? data.at('text').value),
        ['One ', 'two.', 'One two.'],
      );
      assert.equal(events.at(-1)?.type, 'transcript.text.done');
      assert.equal(events.at(-1)?.data.at('usage', 'total_tokens').value, 15);
      assert.equal((await transcribe(world, [['stream', 'true']], { identity: 'stream' })).text, answer.text);
      assert.equal(world.provider.calls.length, 1);
    },
    mediaSettings,
  ),
  gatewayCase(
    'transcriptions: refuses what it does not take, and names the field',
    async (world) => {
      for (const [name, value] of transcriptRefusals) {
        const answer = await transcribe(world, [[name, value]]);
        assert.equal(answer.status, 422, `${name}: ${answer.text}`);
        assert.ok(answer.text.includes(`The field ${name.replace('[]', '')}`), answer.text);
      }
      const language = await transcribe(world, [['language', 'en']], { path: '/audio/translations' });
      assert.ok(assertRefused(language, 422, 'unsupported_parameter').at('message').text().includes('language'));
      const form = formOf([['file', Buffer.from('no audio')]]);
      assertRefused(await sendForm(world, { path: transcriptPath, form, key: world.key }), 422, 'unsupported_content');
      const json = await world.send({ path: transcriptPath, body: { file: mediaSamples.wav } });
      assert.ok(assertRefused(json, 422, 'invalid_request').at('message').text().includes('The field file'));
      const key = await keyOf(world, 'open-4-31b-it');
      const deaf = formOf([['file', wave]]);
      assertRefused(await sendForm(world, { path: transcriptPath, form: deaf, key }), 422, 'unsupported_content');
      assert.equal(world.provider.calls.length, 0);
    },
    mediaSettings,
  ),
  gatewayCase(
    'transcriptions: keeps the hold of a transcript whose outcome is unknown, before its first word and after it',
    async (world) => {
      world.provider.script({ kind: 'unknown' }, { kind: 'unknown', pieces: [text('Half')] });
      const whole = await transcribe(world);
      assertRefused(whole, 502, 'request_failed');
      const streamed = await transcribe(world, [['stream', 'true']]);
      assert.match(streamed.text, /event: error\ndata: \{"error":\{.*"request_failed"/);
      assert.ok(!streamed.text.includes('transcript.text.done'));
      for (const answer of [whole, streamed]) {
        const record = await world.record(requestIdOf(answer));
        assert.equal(record.at('status').value, 'uncertain');
      }
    },
    mediaSettings,
  ),
  gatewayCase('has no routes of images and audio without the compatible mode', async (world) => {
    for (const path of ['/images/generations', '/images/edits', speechPath, transcriptPath, '/audio/translations'])
      assertRefused(await world.send({ path, body: {} }), 404, 'not_found');
  }),
];

/** Audio of text, and text of audio. */
export const audioCases: readonly GatewayCase[] = [...speechCases, ...transcriptCases];
