import type { LiveAudio, LiveClientMessage, LiveKind } from '@tollgate/contract';
import {
  addSent,
  liveSentOf,
  nothingSent,
  sentAfter,
  audioSentOf,
  type LiveCovered,
  type LiveSent,
} from '@tollgate/engine';
import type { SentCredits } from './sent-credits.ts';
import type { SessionOutput } from './session-output.ts';

/** A message that waits for its hold, with its bounds, computed once. */
interface WaitingMessage {
  readonly message: LiveClientMessage;
  readonly sent: LiveSent;
  /** Of memory. */
  readonly bytes: number;
}

/** The input of a session: what was sent to the upstream, what of it is measured, and what waits for its hold. */
export interface Sending {
  readonly kind: LiveKind;
  readonly priceSent: SentCredits['priceSent'];
  /** How much input that no measure counts yet the hold covers. */
  readonly coveredMicros: bigint;
  /** Of this it is known that the hold covers it: less of everything never costs more, and is not priced again. */
  readonly covered: LiveSent | null;
  /** All that was sent. */
  readonly sent: LiveSent;
  /** What was sent when the model said its first word of a turn: that is what the turn's measure counts. */
  readonly heard: LiveSent | null;
  /** What the last measure counted. */
  readonly reported: LiveSent;
  /** The same, of which the note has come back: from then on its price is in the use, and not in the bound. */
  readonly measured: LiveSent;
  readonly waiting: readonly WaitingMessage[];
}

/** What became of messages: all that the hold covers are sent, in order. */
export interface Released {
  readonly sending: Sending;
  readonly outputs: readonly SessionOutput[];
}

/** Its characters, or as many bytes where it is at hand as such. */
export const messageLength = (message: LiveClientMessage): number => message.utf8?.length ?? message.text.length;

/** What a waiting message takes of memory beside its text. */
const bytesPerMessage = 512;

const nothingWaits: readonly WaitingMessage[] = [];

export const firstSending = (kind: LiveKind, { priceSent, covered }: SentCredits): Sending => ({
  kind,
  priceSent,
  coveredMicros: covered.sentMicros,
  covered: null,
  sent: nothingSent,
  heard: null,
  reported: nothingSent,
  measured: nothingSent,
  waiting: nothingWaits,
});

/** Music is charged by what is played, and by no input. */
const sentOf = ({ kind }: Sending, message: LiveClientMessage): LiveSent => {
  if (kind === 'music') return nothingSent;
  const { audio } = message;
  return audio === undefined ? liveSentOf(message.body) : audioSentOf(audio);
};

const toWaiting = (sending: Sending, message: LiveClientMessage): WaitingMessage => ({
  message,
  sent: sentOf(sending, message),
  bytes: messageLength(message) + bytesPerMessage,
});

const bytesOf = (messages: readonly WaitingMessage[]): number => messages.reduce((sum, { bytes }) => sum + bytes, 0);

/** The bound of what was sent, and no measure counts. */
export const unmeasuredMicros = ({ priceSent, measured }: Sending, sent: LiveSent): bigint | null =>
  priceSent(sentAfter(sent, measured));

/** What is asked to be held: all that waits together. Null where it has no price. */
const coverWaiting = (sending: Sending): SessionOutput | null => {
  const all = sending.waiting.map(({ sent }) => sent).reduce(addSent, sending.sent);
  const sentMicros = unmeasuredMicros(sending, all);
  return sentMicros === null ? null : { kind: 'cover', sentMicros };
};

const isCovered = ({ priceSent, coveredMicros }: Sending, unmeasured: LiveSent): boolean => {
  const micros = priceSent(unmeasured);
  return micros !== null && micros <= coveredMicros;
};

/** So far ahead audio is priced, so that not every piece of it is. */
const aheadSeconds = 1;

/** Input from this on that the hold covers; null where it does not cover even this. */
const coveredFrom = (sending: Sending, unmeasured: LiveSent): LiveSent | null => {
  const ahead = { ...unmeasured, audioSeconds: unmeasured.audioSeconds + aheadSeconds };
  return [ahead, unmeasured].find((each) => isCovered(sending, each)) ?? null;
};

const isWithin = (sent: LiveSent, bound: LiveSent): boolean =>
  sent.audioSeconds <= bound.audioSeconds &&
  sent.textTokens <= bound.textTokens &&
  sent.images <= bound.images &&
  sent.videoFrames <= bound.videoFrames;

const takeCovered = (sending: Sending): Released => {
  const { waiting, measured } = sending;
  const outputs: SessionOutput[] = [];
  let { sent, covered } = sending;
  for (const next of waiting) {
    const more = addSent(sent, next.sent);
    const unmeasured = sentAfter(more, measured);
    const known = covered !== null && isWithin(unmeasured, covered) ? covered : coveredFrom(sending, unmeasured);
    if (known === null) break;
    covered = known;
    sent = more;
    outputs.push({ kind: 'to_upstream', message: next.message });
  }
  const left = outputs.length === waiting.length ? nothingWaits : waiting.slice(outputs.length);
  return { sending: { ...sending, sent, covered, waiting: left }, outputs };
};

/** Sends what the hold covers and asks for a hold for the rest. Null where that has no price. */
const release = (sending: Sending): Released | null => {
  const taken = takeCovered(sending);
  if (taken.sending.waiting.length === 0) return taken;
  const cover = coverWaiting(taken.sending);
  return cover === null ? null : { ...taken, outputs: [...taken.outputs, cover] };
};

/** A message that goes at once, as nearly every one does: nothing waits, and the hold is known to cover it. */
const passOn = (sending: Sending, message: LiveClientMessage): Released | null => {
  const { covered, measured, waiting } = sending;
  if (covered === null || waiting.length > 0) return null;
  const sent = addSent(sending.sent, sentOf(sending, message));
  return isWithin(sentAfter(sent, measured), covered)
    ? { sending: { ...sending, sent }, outputs: [{ kind: 'to_upstream', message }] }
    : null;
};

/**
 * The same for a piece of audio, which adds seconds to what was sent and nothing else: what was sent before it is covered. The
 * sending after it, or null where it does not go at once.
 */
export const passAudio = (sending: Sending, audio: LiveAudio): Sending | null => {
  const { covered, measured, waiting, sent } = sending;
  if (covered === null || waiting.length > 0) return null;
  const audioSeconds = sent.audioSeconds + audioSentOf(audio).audioSeconds;
  return audioSeconds - measured.audioSeconds <= covered.audioSeconds
    ? { ...sending, sent: { ...sent, audioSeconds } }
    : null;
};

/**
 * Takes the messages of one frame: sent where the hold covers them, else they wait. `full` where too much would wait together;
 * `unpriced` where the input has no price.
 */
export const offer = (
  sending: Sending,
  messages: readonly LiveClientMessage[],
  waitingBytesMax: number,
): Released | 'full' | 'unpriced' => {
  const [only] = messages;
  const passed = messages.length === 1 && only !== undefined ? passOn(sending, only) : null;
  if (passed !== null) return passed;
  const waits = sending.waiting.length > 0;
  const more = messages.map((message) => toWaiting(sending, message));
  const waiting = waits ? [...sending.waiting, ...more] : more;
  if (waits && bytesOf(waiting) > waitingBytesMax) return 'full';
  const next = { ...sending, waiting };
  // One hold is asked for at a time; what comes meanwhile goes with the next.
  return waits ? { sending: next, outputs: [] } : (release(next) ?? 'unpriced');
};

/** The model speaks: a measure that comes now counts what was sent until here. */
export const hear = (sending: Sending): Sending =>
  sending.heard === null ? { ...sending, heard: sending.sent } : sending;

/** A measure came. It is in the use as soon as it is noted. */
export const measure = (sending: Sending): Sending => ({
  ...sending,
  reported: sending.heard ?? sending.sent,
  heard: null,
});

/** A note came back: what it counts is measured, and the hold covers so much. */
export const recordSent = (sending: Sending, { sentMicros }: LiveCovered, measured: LiveSent): Released =>
  takeCovered({ ...sending, coveredMicros: sentMicros, covered: null, measured });

/** The hold that was asked for came back. Null where what waits has no price. */
export const holdSent = (sending: Sending, { sentMicros }: LiveCovered): Released | null =>
  release({ ...sending, coveredMicros: sentMicros, covered: null });
