import { optionsCheck, timerMs, whole } from '@tollgate/contract/configuration';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How far an interaction may go. Every one ends the interaction as `incomplete`, with what it has until then. */
export interface InteractionLimits {
  /** Times a model is asked. */
  readonly modelRoundsMax: number;
  /** Model rounds that are reserved for where the gateway runs tools; more are gone as long as what they may use is covered. */
  readonly modelRoundsHeld: number;
  /** Output of one model round where the gateway runs tools; else the whole output of the model. */
  readonly roundOutputTokensMax: number;
  readonly toolCallsMax: number;
  /** Tool calls that are reserved for. */
  readonly toolCallsHeld: number;
  readonly toolCallMs: number;
  /** JSON of the functions that all tools of an interaction declare. */
  readonly declaredCharsMax: number;
  /** What a model gets of one result; the client gets all of it. */
  readonly toldCharsMax: number;
  readonly stepsMax: number;
  /** JSON of all steps, without their media. */
  readonly stepsBytesMax: number;
  /** All model rounds and tools together, while a worker is at it. */
  readonly workMs: number;
  /** How long an upstream may be at it. */
  readonly jobMs: number;
  /** How often a model that is busy is asked again within an interaction. */
  readonly triesMax: number;
  /** Media up to this are shown inside their step, larger ones behind the content route. */
  readonly inlineMediaBytesMax: number;
  /** Interactions that one continues, one after the other. */
  readonly historyInteractionsMax: number;
  /** JSON of all their steps. */
  readonly historyBytesMax: number;
  /** How long generated media can be downloaded. */
  readonly mediaKeptMs: number;
  /** How long an interaction can be continued, and its result is shown. */
  readonly historyKeptMs: number;
  /** How long ownerless blobs are left for work that is under way. */
  readonly blobsKeptMs: number;
}

export const defaultInteractionLimits: InteractionLimits = Object.freeze({
  modelRoundsMax: 32,
  modelRoundsHeld: 8,
  roundOutputTokensMax: 8_192,
  toolCallsMax: 64,
  toolCallsHeld: 8,
  toolCallMs: 2 * minute,
  declaredCharsMax: 524_288,
  toldCharsMax: 65_536,
  stepsMax: 512,
  stepsBytesMax: 4_194_304,
  workMs: 30 * minute,
  jobMs: 24 * hour,
  triesMax: 4,
  inlineMediaBytesMax: 1_048_576,
  historyInteractionsMax: 200,
  historyBytesMax: 67_108_864,
  mediaKeptMs: 7 * day,
  historyKeptMs: 55 * day,
  blobsKeptMs: 48 * hour,
});

/** Every limit in its bounds. */
export const interactionLimitsCheck = optionsCheck<Partial<InteractionLimits>>({
  modelRoundsMax: whole({ min: 1 }),
  modelRoundsHeld: whole({ min: 1 }),
  roundOutputTokensMax: whole({ min: 1 }),
  toolCallsMax: whole(),
  toolCallsHeld: whole(),
  toolCallMs: timerMs({ min: 1 }),
  declaredCharsMax: whole(),
  toldCharsMax: whole(),
  stepsMax: whole({ min: 1 }),
  stepsBytesMax: whole({ min: 1 }),
  workMs: timerMs({ min: 1 }),
  jobMs: whole({ min: 1 }),
  triesMax: whole({ min: 1 }),
  inlineMediaBytesMax: whole(),
  historyInteractionsMax: whole(),
  historyBytesMax: whole(),
  mediaKeptMs: whole(),
  historyKeptMs: whole(),
  blobsKeptMs: whole(),
});
