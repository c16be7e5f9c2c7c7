import type { JsonObject, LiveCall, LiveEvents, LiveMessage, LiveUpstream } from '@tollgate/provider';
import type { Directive } from './directives.ts';
import { isLoud, pcmMs } from './live-hearing.ts';
import {
  answerMessages,
  answerText,
  nothingHeard,
  transcribe,
  turnDirectives,
  turnUsage,
  type Heard,
  type LiveManner,
} from './live-turn.ts';
import { listOf, recordOf, textOf } from './live-json.ts';
import { callId } from './sandbox-context.ts';
import { textTokens } from './sandbox-usage.ts';

/** So much silence after speech ends a turn. */
const silenceMsMax = 500;

interface PendingCall {
  readonly ids: readonly string[];
  readonly heard: Heard;
  readonly directives: readonly Directive[];
}

interface Conversation {
  readonly call: LiveCall;
  readonly events: LiveEvents;
  readonly manner: LiveManner;
  /** Takes another connection to the upstream, as it does when one is taken away. */
  readonly reconnect: () => void;
  heard: Heard;
  silenceMs: number;
  contextTokens: number;
  calls: number;
  pending: PendingCall | null;
  /** False once a turn was not measured. */
  measured: boolean;
}

const mannerOf = ({ config }: LiveCall): LiveManner => {
  const generation = recordOf(config['generationConfig']);
  const modalities = listOf(generation['responseModalities']);
  const voice = recordOf(recordOf(recordOf(generation['speechConfig'])['voiceConfig'])['prebuiltVoiceConfig']);
  const declared = listOf(config['tools']).flatMap((tool) => listOf(recordOf(tool)['functionDeclarations']));
  return {
    speaks: modalities.length === 0 || modalities.includes('AUDIO'),
    voice: textOf(voice['voiceName']) ?? 'Sandbox',
    transcribesInput: config['inputAudioTranscription'] !== undefined,
    transcribesOutput: config['outputAudioTranscription'] !== undefined,
    functions: new Set(declared.flatMap((one) => textOf(recordOf(one)['name']) ?? [])),
  };
};

/** The text of the session's own instruction, which steers its opening. */
export const instructionOf = ({ config }: LiveCall): string =>
  listOf(recordOf(config['systemInstruction'])['parts'])
    .map((part) => textOf(recordOf(part)['text']) ?? '')
    .join('\n');

const say = ({ events }: Conversation, body: JsonObject): void =>
  events.emit({ kind: 'message', message: { body, text: JSON.stringify(body) } });

/** Says an answer and ends the turn with its measure. */
const answer = (
  talk: Conversation,
  {
    heard,
    directives,
    text,
  }: { readonly heard: Heard; readonly directives: readonly Directive[]; readonly text: string },
): void => {
  for (const message of answerMessages(text, talk.manner)) say(talk, message);
  const usage = turnUsage({ heard, directives, answer: text, contextTokens: talk.contextTokens }, talk.manner);
  talk.contextTokens += textTokens(text);
  say(talk, { serverContent: { turnComplete: true } });
  if (usage === undefined) talk.measured = false;
  else talk.events.emit({ kind: 'usage', usage });
};

const callTools = (talk: Conversation, heard: Heard, directives: readonly Directive[]): boolean => {
  const told = directives.filter((directive) => directive.kind === 'tool');
  const offered = told.filter(({ name }) => talk.manner.functions.has(name));
  if (offered.length === 0) return false;
  const functionCalls = offered.map(({ name, arguments: json }) => {
    talk.calls += 1;
    return { id: callId(talk.call.operationId, talk.calls), name, args: recordOf(JSON.parse(json)) };
  });
  talk.pending = { ids: functionCalls.map(({ id }) => id), heard, directives };
  say(talk, { toolCall: { functionCalls } });
  return true;
};

/** A turn that begins before the functions have answered takes their calls back. */
const cancelPending = (talk: Conversation): void => {
  if (talk.pending === null) return;
  const { ids, heard, directives } = talk.pending;
  talk.pending = null;
  say(talk, { toolCallCancellation: { ids } });
  say(talk, { serverContent: { interrupted: true } });
  const usage = turnUsage({ heard, directives, answer: '', contextTokens: talk.contextTokens }, talk.manner);
  if (usage === undefined) talk.measured = false;
  else talk.events.emit({ kind: 'usage', usage });
};

const endTurn = (talk: Conversation): void => {
  const { heard } = talk;
  if (heard === nothingHeard) return;
  talk.heard = nothingHeard;
  talk.silenceMs = 0;
  cancelPending(talk);
  const directives = turnDirectives(heard);
  talk.contextTokens += textTokens(heard.text);
  if (heard.audioMs > 0 && talk.manner.transcribesInput)
    say(talk, { serverContent: { inputTranscription: { text: transcribe(heard.audioMs) } } });
  if (directives.some(({ kind }) => kind === 'drop')) {
    talk.events.emit({ kind: 'closed', cause: 'lost', measured: false });
    return;
  }
  // The upstream takes its connection away between two messages; only the record shows it.
  if (directives.some(({ kind }) => kind === 'go-away')) talk.reconnect();
  if (!callTools(talk, heard, directives)) answer(talk, { heard, directives, text: answerText(heard, directives) });
};

const hearText = (talk: Conversation, text: string): void => {
  talk.heard = { ...talk.heard, text: talk.heard.text === '' ? text : `${talk.heard.text}\n${text}` };
};

const hearAudio = (talk: Conversation, data: string, mimeType: string): void => {
  const ms = pcmMs(data, mimeType);
  talk.heard = { ...talk.heard, audioMs: talk.heard.audioMs + ms };
  talk.silenceMs = isLoud(data) ? 0 : talk.silenceMs + ms;
  if (talk.silenceMs >= silenceMsMax && talk.heard.audioMs > talk.silenceMs) endTurn(talk);
};

const takeContent = (talk: Conversation, content: JsonObject): void => {
  for (const turn of listOf(content['turns']))
    for (const part of listOf(recordOf(turn)['parts'])) {
      const text = textOf(recordOf(part)['text']);
      if (text !== undefined) hearText(talk, text);
    }
  if (content['turnComplete'] === true) endTurn(talk);
};

const takeRealtime = (talk: Conversation, input: JsonObject): void => {
  const audio = recordOf(input['audio']);
  const data = textOf(audio['data']);
  if (data !== undefined) hearAudio(talk, data, textOf(audio['mimeType']) ?? '');
  if (input['video'] !== undefined) talk.heard = { ...talk.heard, images: talk.heard.images + 1 };
  const text = textOf(input['text']);
  if (text !== undefined) hearText(talk, text);
  if (text !== undefined || input['activityEnd'] !== undefined || input['audioStreamEnd'] === true) endTurn(talk);
};

/** Responses of functions that were not asked are none. */
const takeToolResponse = (talk: Conversation, response: JsonObject): void => {
  const { pending } = talk;
  const results = listOf(response['functionResponses'])
    .map(recordOf)
    .filter(({ id }) => pending?.ids.includes(textOf(id) ?? ''));
  if (pending === null || results.length === 0) return;
  talk.pending = null;
  const text = results
    .map((result) => `${textOf(result['name']) ?? ''} says ${JSON.stringify(result['response'])}.`)
    .join(' ');
  talk.contextTokens += textTokens(text);
  answer(talk, { heard: pending.heard, directives: pending.directives, text });
};

const take = (talk: Conversation, { body }: LiveMessage): void => {
  if (body['clientContent'] !== undefined) takeContent(talk, recordOf(body['clientContent']));
  if (body['realtimeInput'] !== undefined) takeRealtime(talk, recordOf(body['realtimeInput']));
  if (body['toolResponse'] !== undefined) takeToolResponse(talk, recordOf(body['toolResponse']));
};

/** A spoken or written conversation: deterministic, with real sound, steered by directives in what is written. */
export const converse = (call: LiveCall, events: LiveEvents, reconnect: Conversation['reconnect']): LiveUpstream => {
  const talk: Conversation = {
    call,
    events,
    manner: mannerOf(call),
    reconnect,
    heard: nothingHeard,
    silenceMs: 0,
    contextTokens: textTokens(instructionOf(call)),
    calls: 0,
    pending: null,
    measured: true,
  };
  return {
    send: (message) => take(talk, message),
    onEvent: events.onEvent,
    bufferedBytes: () => 0,
    close: () => {
      cancelPending(talk);
      events.emit({ kind: 'closed', cause: 'ended', measured: talk.measured });
    },
  };
};
