// limits:units:binary
/** Bytes of one KB and one MB: the contract counts in binary units. */
const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Freezes nested plain data, so that no caller can loosen a limit for everybody else. */
const frozen = <T extends object>(value: T): Readonly<T> => {
  for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) frozen(child);
  return Object.freeze(value);
};

// limits:table
/** The limits table of the contract. Bodies are counted in bytes as received. */
export const limits = frozen({
  // chat:body:max-bytes, limits:body:other-routes
  /** Whole JSON body by family of route. */
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

/** Bounds of every JSON body, whatever its route: they are counted while its bytes are scanned, before it is parsed. */
export const bodyBounds = frozen({
  /** Values and field names, counted as the signs `{`, `[`, `,` and `:` outside of texts. The host may change it. */
  nodesMax: 50_000,
  /** Between which the host may change it. */
  nodesFloor: 10_000,
  nodesCeiling: 10_000_000,
  /** Deeper than every schema and every result may be that a body can hold. */
  depthMax: 128,
} as const);

/** Bounds of uploads in pieces. Every piece but the last is a multiple of `pieceGranularityBytes`. */
export const uploadBounds = frozen({
  pieceGranularityBytes: 256 * kibibyte,
  piecesMax: 80,
  /** Of all uploads of a project that are not finished, in one process; what is finished, the stored quota bounds over all. */
  pendingBytesPerProjectMax: 512 * mebibyte,
} as const);

/** How large bodies take turns in what they cost the event loop. */
export const bodyTurnBounds = frozen({
  /** A body of more bytes takes turns with the others. */
  largeBytesMin: 64 * kibibyte,
  /** Milliseconds that large bodies may take together before everything else is served once. */
  passMsMax: 2,
  /** How long large bodies rest at the most while other requests are under way. */
  restMsMax: 50,
  /** Large bodies of one project that wait for a turn at once; beyond it 429. */
  waitingPerProjectMax: 64,
  /** Large bodies of all projects that wait for a turn at once; beyond it 503. */
  waitingMax: 512,
} as const);

/** Bounds of one schema that a client brings along: for an answer, or for the parameters of a function. */
export const schemaBounds = frozen({
  /** Values and field names. */
  nodesMax: 20_000,
  /** Of its field names and texts together. */
  charsMax: 256 * kibibyte,
  referencesMax: 1_000,
  depthMax: 100,
  /** Schemas that one value meets, references followed: more of them multiply. */
  visitsMax: 2_000,
  /** Of one pattern in the schema of a response. */
  patternCharsMax: 1_000,
  /** Of all patterns in the schema of a response together. */
  patternsCharsMax: 4_000,
  /** Property escapes such as `\p{L}` in all of its patterns together: each compiles to hundreds of ranges. */
  propertyEscapesMax: 20,
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
  imageUrlCharsMax: 2048,
  /** Images at addresses that one chat may name. */
  remoteImagesMax: 16,
  /** Of all of them together. */
  remoteImageBytesMax: 20 * mebibyte,
  /** For all of them together, from the first name to the last byte. */
  remoteImagesMsMax: 30_000,
  /** Images that one project has fetched at once, in one process. */
  remoteImageFetchesPerProjectMax: 4,
  /** Of the images that one process fetches and holds at once. */
  remoteImageBytesUnderWayMax: 256 * mebibyte,
  penaltyMin: -2,
  penaltyMax: 2,
  /** Messages of one chat in the compatible mode, where the host says nothing: agents send their whole session each time. */
  messagesCompat: 2_000,
  // G63
  /** How far a host may raise the number of messages in the compatible mode. */
  messagesCeiling: 10_000,
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
  penaltyMin: -2,
  penaltyMax: 2,
  /** Pieces of one call's arguments. */
  partialArgsMax: 1000,
  jsonDepthMax: 100,
} as const);

/** Bounds of orders of videos. No video model reads as much as one prompt may have. */
export const videoBounds = frozen({ promptCharsMax: 65_536 } as const);

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

/** Bounds of the embeddings body that the contract's table does not state. */
export const embeddingBounds = frozen({
  // G63
  /** How far a host may raise the number of texts in a compatible mode. */
  textsCeiling: 2048,
} as const);

/** Bounds of environments that the contract's table does not state. */
export const environmentBounds = frozen({
  sourcesMax: 1000,
  /** Files of one environment, of all its interactions. */
  filesMax: 1000,
  fileBytesMax: 20 * mebibyte,
  /** All files of one environment. */
  treeBytesMax: 100 * mebibyte,
  pathBytesMax: 1024,
  segmentBytesMax: 255,
  depthMax: 32,
  allowedDomainsMax: 100,
} as const);

/** What an agent may hold of its own. */
export const agentBounds = frozen({ instructionBytesMax: 64 * kibibyte } as const);

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
