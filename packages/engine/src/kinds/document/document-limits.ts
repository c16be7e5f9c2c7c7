/** What indexing one document may cost; nothing beyond is cut silently. */
export interface DocumentLimits {
  /** Of the text, in UTF-16 units. */
  readonly charactersMax: number;
  readonly chunkCharactersMax: number;
  /** How much of the text before it a chunk repeats, so that what a cut went through is whole in one of them. */
  readonly overlapCharacters: number;
  readonly chunksMax: number;
  /** Texts, and characters of all of them, that the embedding provider is handed in one call. */
  readonly textsPerCallMax: number;
  readonly charactersPerCallMax: number;
  /** How long reading the file may take. */
  readonly readMs: number;
  /** How often what nobody has executed is tried again. */
  readonly triesMax: number;
  /** Documents that one process works on at once, and those of one project. */
  readonly documentsAtOnce: number;
  readonly documentsPerProject: number;
}

export const defaultDocumentLimits: DocumentLimits = {
  charactersMax: 4_000_000,
  chunkCharactersMax: 1_600,
  overlapCharacters: 200,
  chunksMax: 10_000,
  textsPerCallMax: 100,
  charactersPerCallMax: 80_000,
  readMs: 120_000,
  triesMax: 8,
  documentsAtOnce: 8,
  documentsPerProject: 4,
};

/** A chunk may not be shorter than twice what it repeats, or the text would not end. */
export const checkDocumentLimits = (limits: DocumentLimits): DocumentLimits => {
  if (limits.overlapCharacters < 0 || limits.chunkCharactersMax < 4 * limits.overlapCharacters)
    throw new RangeError('chunkCharactersMax must be at least four times overlapCharacters');
  if (limits.chunkCharactersMax < 16) throw new RangeError('chunkCharactersMax must be at least 16');
  if (limits.textsPerCallMax < 1 || limits.textsPerCallMax > 100)
    throw new RangeError('textsPerCallMax must be 1 to 100');
  return limits;
};
