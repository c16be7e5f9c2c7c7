import { GatewayError, isRecord, noObjectError, readAt } from '@tollgate/contract';
import type { GenerationCall, Transcription } from '@tollgate/provider';
import { namesOf } from '../../../field-names.ts';
import { mediaPart } from '../../../media-json/media-part.ts';
import { present } from '../../../present.ts';
import type { AskedGeneration, GenerationDialect } from '../../generation/generation-dialect.ts';
import { mediaCall } from '../media-call.ts';
import { openTranscript, writeTranscript, writeTranscriptText } from './transcript-answer.ts';
import {
  audioSecondsOf,
  audioTypeOf,
  checkFile,
  TranscriptionBody,
  transcriptionForm,
  TranslationBody,
} from './transcription-body.ts';

const wordsAlone = 'Return the words alone, without a comment, a name of a speaker or a time.';

/** The instruction for a model that does more than writing down. */
const instructionOf = ({ language, prompt, translate }: Transcription): string =>
  [
    translate === true
      ? 'Write down in English what is said in the audio, whatever language is spoken.'
      : 'Write down what is said in the audio, word for word, in the language that is spoken.',
    wordsAlone,
    ...(language === undefined ? [] : [`The language that is spoken is ${language}.`]),
    ...(prompt === undefined ? [] : [`The context of the audio, for names, spelling and style: ${prompt}`]),
  ].join('\n');

/** The audio of a body, as the one part of the call. */
const audioPart = (file: TranscriptionBody['file']): GenerationCall['contents'] => {
  const mimeType = audioTypeOf(file);
  if (mimeType === null)
    throw new GatewayError('unsupported_content', {
      detail:
        'The field file holds no audio of a type that is known; accepted are WAV, MP3, MP4, AAC, Ogg, FLAC and WebM.',
    });
  return [{ role: 'user', parts: [mediaPart(mimeType, file.data)] }];
};

/** What a verbose response says beside the text, where it is known without a model. */
const knownOf = (
  file: TranscriptionBody['file'],
  format: TranscriptionBody['response_format'],
  { language, translate }: Transcription,
): Readonly<Record<string, unknown>> => {
  if (format !== 'verbose_json') return {};
  const spoken = translate === true ? 'english' : language;
  return { ...present('language', spoken), ...present('seconds', audioSecondsOf(file)) };
};

const toAsked = (
  { file, model, temperature, stream, response_format: format }: Omit<TranscriptionBody, 'language' | 'prompt'>,
  transcription: Transcription,
): AskedGeneration => {
  const contents = audioPart(file);
  return {
    model: model ?? undefined,
    stream: stream === true,
    fileIds: [],
    callIds: [],
    echo: { ...present('format', format), ...knownOf(file, format, transcription) },
    toCall: (row) => ({
      ...mediaCall(row, contents),
      systemInstruction: instructionOf(transcription),
      sampling: { ...present('temperature', temperature) },
      transcription,
    }),
  };
};

const readTranscription = (body: unknown): AskedGeneration => {
  if (!isRecord(body)) throw noObjectError(body);
  checkFile(body);
  const { language, prompt, ...settings } = readAt(TranscriptionBody, body);
  return toAsked(settings, { ...present('language', language || null), ...present('prompt', prompt || null) });
};

const readTranslation = (body: unknown): AskedGeneration => {
  if (!isRecord(body)) throw noObjectError(body);
  checkFile(body);
  const { prompt, ...settings } = readAt(TranslationBody, body);
  return toAsked(settings, { ...present('prompt', prompt || null), translate: true });
};

const shared = {
  kind: 'generate',
  mediaPlaces: [],
  dataUrls: false,
  form: transcriptionForm,
  fieldNames: namesOf({ contents: 'file', temperature: 'temperature', transcription: 'prompt', modalities: 'model' }),
  schemaField: 'file',
  openStream: openTranscript,
  writeWhole: writeTranscript,
  writeBody: writeTranscriptText,
} as const;

/** `POST /audio/transcriptions`: what is said in audio, in its language. */
export const transcriptions: GenerationDialect = {
  ...shared,
  name: 'openai-transcriptions',
  path: '/audio/transcriptions',
  read: readTranscription,
};

/** `POST /audio/translations`: what is said in audio, in English. */
export const translations: GenerationDialect = {
  ...shared,
  name: 'openai-translations',
  path: '/audio/translations',
  read: readTranslation,
};
