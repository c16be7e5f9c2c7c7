import {
  also,
  checkConfiguration,
  faultAt,
  memberPlace,
  optionsCheck,
  timerMs,
  whole,
  type ConfigurationFault,
  type OptionCheck,
} from '@tollgate/contract/configuration';

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
  /** How often a call that was not executed is tried again. */
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

const members = optionsCheck<Partial<DocumentLimits>>({
  charactersMax: whole({ min: 1 }),
  chunkCharactersMax: whole({ min: 16 }),
  overlapCharacters: whole(),
  chunksMax: whole({ min: 1 }),
  textsPerCallMax: whole({ min: 1, max: 100 }),
  charactersPerCallMax: whole({ min: 1 }),
  readMs: timerMs({ min: 1 }),
  triesMax: whole({ min: 1 }),
  documentsAtOnce: whole({ min: 1 }),
  documentsPerProject: whole({ min: 1 }),
});

/** A chunk may not be shorter than twice what it repeats, or the text would not end. */
const tooShort = (given: Partial<DocumentLimits>, place: string): readonly ConfigurationFault[] => {
  const { chunkCharactersMax, overlapCharacters } = { ...defaultDocumentLimits, ...given };
  return chunkCharactersMax >= 4 * overlapCharacters
    ? []
    : faultAt(
        memberPlace(place, 'chunkCharactersMax'),
        `is ${chunkCharactersMax}`,
        `is at least four times overlapCharacters, which is ${overlapCharacters}`,
      );
};

/** Every limit in its bounds, and none against another one. */
export const documentLimitsCheck: OptionCheck<Partial<DocumentLimits>> = also(members, tooShort);

/** The limits with the defaults of what was left out. Throws where a document could not be indexed by them. */
export const toDocumentLimits = (given: Partial<DocumentLimits> = {}): DocumentLimits => {
  checkConfiguration('documentKind', documentLimitsCheck, given);
  return { ...defaultDocumentLimits, ...given };
};
