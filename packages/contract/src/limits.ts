/** Bytes of one KB and one MB: the contract counts in binary units [limits:units:binary]. */
const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Freezes nested plain data, so that no caller can loosen a limit for everybody else. */
const frozen = <T extends object>(value: T): Readonly<T> => {
  for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) frozen(child);
  return Object.freeze(value);
};

/** The limits table of the contract [limits:table]. Bodies are counted in bytes as received. */
export const limits = frozen({
  /** Whole JSON body by family of route [chat:body:max-bytes] [limits:body:other-routes]. */
  bodyBytesMax: {
    chat: 2_000_000,
    generate: 20 * mebibyte,
    files: 28 * mebibyte,
    embeddings: 20 * mebibyte,
    caches: 20 * mebibyte,
    batches: 20 * mebibyte,
    videos: 20 * mebibyte,
    interactions: 20 * mebibyte,
    triggers: 20 * mebibyte,
    environments: 20 * mebibyte,
    other: 2_000_000,
  },
  chat: { messagesMin: 1, messagesMax: 100, temperatureMin: 0, temperatureMax: 2, temperatureDefault: 0.7 },
  file: { decodedBytesMax: 20 * mebibyte },
  embedding: { textsMax: 100, dimensionsMin: 1, dimensionsMax: 3072 },
  batch: { requestsMax: 100, keyCharsMax: 128 },
  cache: { ttlSecondsMin: 1, ttlSecondsMax: 604_800 },
  environment: { inlineSourceBytesMax: 75 * kibibyte },
  list: { recordsMax: 100 },
  idempotencyKey: { charsMin: 1, charsMax: 128 },
  liveAccess: { validSeconds: 60, usesMax: 1 },
  webhook: { attemptsMax: 8, timestampToleranceSeconds: 300 },
  trigger: { displayNameCharsMax: 200 },
  interaction: { temperatureMin: 0, temperatureMax: 2, topPMin: 0, topPMax: 1 },
  contentIndex: { min: 0 },
} as const);

/** Bounds of the chat body that the contract's table does not state; each keeps one request from costing without end. */
export const chatBounds = frozen({
  contextCharsMax: 64 * kibibyte,
  partsPerMessageMax: 1000,
  toolsMax: 512,
  toolCallsPerMessageMax: 512,
  stopSequencesMax: 16,
  metadataEntriesMax: 16,
  nameCharsMax: 128,
  textFieldCharsMax: 512,
  jsonDepthMax: 100,
} as const);

/** Bounds of the generateContent body that the contract's table does not state. */
export const generateBounds = frozen({
  contentsMax: 10_000,
  partsPerContentMax: 3000,
  toolsMax: 512,
  declarationsMax: 512,
  stopSequencesMax: 16,
  safetySettingsMax: 16,
  speakersMax: 2,
  /** Of all text that is no content: names, ids, settings. */
  textFieldCharsMax: 512,
  /** The opaque state that an upstream wants back with a part. */
  signatureCharsMax: mebibyte,
  topKMax: 1000,
  jsonDepthMax: 100,
} as const);

/** Bounds of the interaction body, and of agents, that the contract's table does not state. */
export const interactionBounds = frozen({
  inputItemsMax: 3000,
  declarationsMax: 512,
  stopSequencesMax: 16,
  storesMax: 64,
  allowedToolsMax: 512,
  headersMax: 32,
  headerCharsMax: 8192,
  urlCharsMax: 2048,
  /** Of lists of short texts, such as language codes. */
  listEntriesMax: 1000,
  /** Of all text that is no content: names, ids, settings. */
  textFieldCharsMax: 512,
  jsonDepthMax: 100,
} as const);

/** Bounds of environments that the contract's table does not state. */
export const environmentBounds = frozen({
  sourcesMax: 1000,
  /** Files of one environment, whoever made them. */
  filesMax: 1000,
  fileBytesMax: 20 * mebibyte,
  /** All files of one environment. */
  treeBytesMax: 100 * mebibyte,
  pathBytesMax: 1024,
  segmentBytesMax: 255,
  depthMax: 32,
  allowedDomainsMax: 100,
} as const);

/** Bounds of triggers that the contract's table does not state. */
export const triggerBounds = frozen({
  scheduleCharsMax: 256,
  timeZoneCharsMax: 64,
  /** Of what an interaction shows: all of it but headers and the data of media. */
  shownBytesMax: 256 * kibibyte,
} as const);

/** Bounds of realtime sessions that the contract's table does not state. */
export const liveBounds = frozen({
  instructionCharsMax: mebibyte,
  /** Of lists of short texts, such as language codes. */
  listEntriesMax: 1000,
  turnsMax: 1000,
  partsPerTurnMax: 1000,
  responsesMax: 512,
  mediaChunksMax: 64,
  promptsMax: 64,
  jsonDepthMax: 100,
} as const);
