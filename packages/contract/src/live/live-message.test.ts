import { expect, test } from 'vitest';
import { parseLiveMessage, type LiveKind } from './live-message.ts';

const audioInput = Buffer.alloc(6, 7).toString('base64');
const audio = (mimeType: string, data = audioInput) => ({ realtimeInput: { audio: { data, mimeType } } });
const readText = (kind: LiveKind, text: string) => parseLiveMessage(kind, Buffer.from(text), 1_000);
const read = (value: unknown) => readText('live', JSON.stringify(value));

const music = (value: unknown) => readText('music', JSON.stringify(value));

test('reads sound alike however it is written', () => {
  const body = audio('audio/pcm;rate=16000');
  const plain = JSON.stringify(body);
  const spaced = JSON.stringify(body, null, 2);
  const turned = JSON.stringify({ realtimeInput: { audio: { mimeType: 'audio/pcm;rate=16000', data: audioInput } } });
  const escaped = plain.replace('audio/pcm', 'audio\\/pcm');
  for (const text of [plain, spaced, turned, escaped]) {
    const [message] = readText('live', text) ?? [];
    expect(message?.body).toEqual(body);
    expect(JSON.parse(message?.text ?? '')).toEqual(body);
  }
});

test.each(['audio/pcm', 'audio/pcm;rate=16000', 'audio/pcm; rate=24000'])(
  'takes %s [live:client:realtime-audio]',
  (type) => {
    expect(read(audio(type))).toHaveLength(1);
  },
);

test('tells how much audio a piece brings, and at which rate', () => {
  const audioOf = (type: string) => readText('live', JSON.stringify(audio(type)))?.[0]?.audio;
  const base64Chars = audioInput.length;
  expect(audioOf('audio/pcm')).toEqual({ base64Chars, rate: null });
  expect(audioOf('audio/pcm;rate=8000')).toEqual({ base64Chars, rate: 8_000 });
  expect(audioOf('audio/pcm; rate=192000')).toEqual({ base64Chars, rate: 192_000 });
  // Written in another way, it is read as any other message.
  expect(readText('live', JSON.stringify(audio('audio/pcm'), null, 1))?.[0]?.audio).toBeUndefined();
});

test.each([
  ['another type', audio('audio/mp3')],
  ['a rate that is none', audio('audio/pcm;rate=x')],
  ['a rate with a letter in it', audio('audio/pcm;rate=16k00')],
  ['too short a rate', audio('audio/pcm;rate=800')],
  ['too long a rate', audio('audio/pcm;rate=1600000')],
  ['two blanks before its rate', audio('audio/pcm;  rate=16000')],
  ['a parameter that is no rate', audio('audio/pcm;pace=16000')],
  ['a type that goes on', audio('audio/pcmu')],
  ['more behind its rate', audio('audio/pcm;rate=16000;x')],
  ['no base64', audio('audio/pcm', '****')],
  ['base64 of the other alphabet', audio('audio/pcm', '-_-_')],
  ['base64 without its padding', audio('audio/pcm', 'AAA')],
  ['nothing', audio('audio/pcm', '')],
  ['a member more', { realtimeInput: { audio: { data: audioInput, mimeType: 'audio/pcm', more: 1 } } }],
  ['a message more', { ...audio('audio/pcm'), clientContent: {} }],
])('refuses sound with %s', (_name, value) => {
  expect(read(value)).toBeNull();
});

test('refuses what only begins like sound', () => {
  const text = JSON.stringify(audio('audio/pcm'));
  for (const bad of [`${text}x`, text.slice(0, -1), `${text.slice(0, -3)},"text":"x"}}`, text.slice(0, 40)])
    expect(readText('live', bad)).toBeNull();
  expect(readText('music', text)).toBeNull();
});

test('parts what older clients send in one message', () => {
  const mediaChunks = [
    { data: audioInput, mimeType: 'audio/pcm' },
    { data: audioInput, mimeType: 'image/png' },
  ];
  expect(read({ realtimeInput: { mediaChunks, audioStreamEnd: true } })?.map(({ body }) => body)).toEqual([
    audio('audio/pcm'),
    { realtimeInput: { video: { data: audioInput, mimeType: 'image/png' } } },
    { realtimeInput: { audioStreamEnd: true } },
  ]);
});

test('reads the messages of music by their bounds', () => {
  expect(music({ musicGenerationConfig: { bpm: 60, guidance: 6, scale: 'C_MAJOR_A_MINOR' } })).toHaveLength(1);
  expect(music({ musicGenerationConfig: { bpm: 59 } })).toBeNull();
  expect(music({ clientContent: { weightedPrompts: [{ text: 'piano', weight: 0 }] } })).toBeNull();
  expect(music({ playbackControl: 'REWIND' })).toBeNull();
});

const listMessage = (values: number): string =>
  `{"toolResponse":{"functionResponses":[{"id":"1","name":"f","response":{"list":[${'0,'.repeat(values - 1)}0]}}]}}`;

test('takes no message that holds more values and field names than a frame may, or is nested without end', () => {
  expect(readText('live', listMessage(980))).not.toBeNull();
  expect(readText('live', listMessage(1_000))).toBeNull();
  expect(readText('live', listMessage(1_000).replace('[0', `${'['.repeat(200)}0${']'.repeat(200)}`))).toBeNull();
});
