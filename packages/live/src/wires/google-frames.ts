import { jsonBounds, scanJson } from '@tollgate/contract';
import type { LiveCredential } from '@tollgate/engine';
import { unitFacts, type Usage } from '@tollgate/provider';
import { closeCodes } from '../close-code.ts';
import { parseFrame } from '../read-frame.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a client wants its session to be like, as it wrote it. */
export type Setup = Fields;

/** The setup that a first frame brings, or null where it is something else. */
export const readSetup = (utf8: Buffer, nodesMax: number): Setup | null => {
  if (typeof scanJson(utf8, jsonBounds(nodesMax)) === 'string') return null;
  const frame = parseFrame(utf8.toString('utf8'));
  if (!isFields(frame) || Object.keys(frame).length !== 1 || !isFields(frame['setup'])) return null;
  return frame['setup'];
};

/** Whether the client asks how to take its session up again. */
export const wantsResumption = (setup: Setup): boolean => isFields(setup['sessionResumption']);

/** Whether the client wants to go on with a session that it had. */
export const takesUp = (setup: Setup): boolean => {
  const resumption = setup['sessionResumption'];
  return isFields(resumption) && typeof resumption['handle'] === 'string';
};

/** The response to a client that asks: no session is taken up again. */
export const notResumableFrame = '{"sessionResumptionUpdate":{"resumable":false}}';

const tokenShape = /^auth_tokens\/([0-9a-f-]{36})\.([0-9a-f]{64})$/;

/** The access that a token stands for; null where it is none. */
export const readToken = (token: string): LiveCredential | null => {
  const [, id, accessKey] = tokenShape.exec(token) ?? [];
  return id === undefined || accessKey === undefined ? null : { id, accessKey };
};

/** What the gateway itself says of an end: the frame for the client, and the reason of the close that follows. */
export interface SaidEnd {
  readonly frame: string | null;
  readonly reason: string;
}

const errorMessageOf = (frame: Fields): string => {
  const error = frame['error'];
  return isFields(error) && typeof error['message'] === 'string' ? error['message'] : '';
};

/** The wire has no error frame: the reason of the close says it. Null for a frame of the model, which is not read. */
export const saidEndOf = (text: string): SaidEnd | null => {
  if (!text.startsWith('{"error"') && !text.startsWith('{"goAway"')) return null;
  const frame = parseFrame(text);
  if (!isFields(frame)) return null;
  const goAway = frame['goAway'];
  return { frame: goAway === undefined ? null : JSON.stringify({ goAway }), reason: errorMessageOf(frame) };
};

const violated = 1008;
const invalid = 1007;

/** The code that clients of this wire know for an end. They know none from 4000 on. */
export const wireCodeOf = (code: number): number => (code >= 4_000 ? violated : code);

/** The code for a session that was not opened, from the status that its route would have. */
export const refusalCodeOf = (status: number): number => {
  if (status >= 500) return closeCodes.lost;
  return [401, 402, 403, 429].includes(status) ? violated : invalid;
};

/** Bytes of a reason at the most, as the protocol of sockets has it. */
const reasonBytesMax = 123;

/** A reason that a close frame has room for, cut between characters. */
export const shortReason = (reason: string): string => {
  let short = reason.slice(0, reasonBytesMax);
  while (Buffer.byteLength(short) > reasonBytesMax || !short.isWellFormed()) short = short.slice(0, -1);
  return short;
};

interface Counted {
  readonly part: string;
  readonly modality: string | null;
  readonly quantity: number;
}

const sumOf = (counts: readonly Counted[]): number => counts.reduce((sum, { quantity }) => sum + quantity, 0);

const detailsOf = (counts: readonly Counted[]): readonly object[] => {
  const sums = new Map<string, number>();
  for (const { modality, quantity } of counts)
    if (modality !== null) sums.set(modality, (sums.get(modality) ?? 0) + quantity);
  return [...sums].map(([modality, tokenCount]) => ({ modality: modality.toUpperCase(), tokenCount }));
};

/** The measure of a turn, in tokens; null where none were measured. */
export const usageFrame = (usage: readonly Usage[]): string | null => {
  const counts = usage.flatMap(({ unit, quantity }): readonly Counted[] =>
    unitFacts[unit].isTokens && quantity > 0 ? [{ ...unitFacts[unit], quantity }] : [],
  );
  if (counts.length === 0) return null;
  const prompt = counts.filter(({ part }) => part === 'prompt');
  const response = counts.filter(({ part }) => part === 'response');
  const thoughts = sumOf(counts.filter(({ part }) => part === 'thoughts'));
  return JSON.stringify({
    usageMetadata: {
      promptTokenCount: sumOf(prompt),
      responseTokenCount: sumOf(response),
      thoughtsTokenCount: thoughts === 0 ? undefined : thoughts,
      totalTokenCount: sumOf(counts),
      promptTokensDetails: detailsOf(prompt),
      responseTokensDetails: detailsOf(response),
    },
  });
};
