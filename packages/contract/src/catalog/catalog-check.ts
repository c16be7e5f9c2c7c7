import type { CatalogModel, EmbeddingOffer, RefusableSetting, VideoOffer } from './catalog-model.ts';
import { also, checkOf, faultAt, required, type ConfigurationFault, type OptionCheck } from '../configuration.ts';
import {
  byKind,
  flag,
  indexPlace,
  list,
  memberPlace,
  oneOf,
  optionsCheck,
  table,
  text,
  whole,
} from '../configuration.ts';
import { embeddingFlags } from '../embeddings/embedding-request-body.ts';
import { modelFamilies, routeFamilies } from './model-family.ts';

/** Rows of one catalog. */
const rowsMax = 10_000;

/** Settings that a row may say its model does not take: each of the type, or this does not compile. */
const refusableSettings = {
  temperature: true,
  topP: true,
  topK: true,
  seed: true,
  stopSequences: true,
  frequencyPenalty: true,
  presencePenalty: true,
} as const satisfies Readonly<Record<RefusableSetting, true>>;

const wordsOf = <Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] =>
  // The names of a record of words are those words.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  Object.keys(words) as Word[];

type Dimensions = EmbeddingOffer['dimensions'];

const range = optionsCheck<Extract<Dimensions, { kind: 'range' }>>({
  kind: required(oneOf('range')),
  min: required(whole({ min: 1 })),
  max: required(whole({ min: 1 })),
});
const values = optionsCheck<Extract<Dimensions, { kind: 'list' }>>({
  kind: required(oneOf('list')),
  values: required(list(whole({ min: 1 }), { entriesMin: 1 })),
});

const dimensions: OptionCheck<Dimensions> = byKind(
  {
    object: checkOf<Dimensions>((value, place) => {
      const kind: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'kind') : undefined;
      if (kind === 'range') return range.faultsOf(value, place);
      if (kind === 'list') return values.faultsOf(value, place);
      return oneOf('range', 'list').faultsOf(kind, memberPlace(place, 'kind'));
    }),
  },
  "is { kind: 'range', min, max } or { kind: 'list', values }",
);

const embedding = optionsCheck<EmbeddingOffer>({
  dimensions: required(dimensions),
  flags: required(list(oneOf(...embeddingFlags))),
});

const video = optionsCheck<VideoOffer>({
  resolutions: required(list(text(), { entriesMin: 1 })),
  aspectRatioDefault: required(text()),
  durationSecondsDefault: required(whole({ min: 1 })),
  line: required(text()),
});

/** Which names are units is known to the packages above. */
const unitsMax: OptionCheck<NonNullable<CatalogModel['unitsMax']>> = checkOf(table(whole()).faultsOf);

const row = optionsCheck<CatalogModel>({
  id: required(text()),
  name: required(text()),
  family: required(oneOf(...modelFamilies)),
  profile: required(text({ charsMin: 0 })),
  consumption: required(text({ charsMin: 0 })),
  recommended: required(flag()),
  preview: required(flag()),
  upstreamId: required(text()),
  upstreamKind: required(oneOf('model', 'agent')),
  routes: required(list(oneOf(...routeFamilies), { entriesMin: 1 })),
  capabilities: required(list(text())),
  maxOutputTokens: required(whole()),
  contextTokens: required(whole()),
  cacheTokensMin: whole(),
  settingsRefused: list(oneOf(...wordsOf(refusableSettings))),
  unitsMax,
  embedding,
  video,
});

const repeatedIds = (rows: readonly CatalogModel[], place: string): readonly ConfigurationFault[] => {
  const firstAt = new Map<string, number>();
  return rows.flatMap(({ id }, index) => {
    const first = firstAt.get(id);
    if (first === undefined) {
      firstAt.set(id, index);
      return [];
    }
    const where = memberPlace(indexPlace(place, index), 'id');
    return faultAt(where, `is '${id}' like ${memberPlace(indexPlace(place, first), 'id')}`, 'are ids that differ');
  });
};

/** The rows of a host's catalog: each whole, no id twice. */
export const catalogCheck: OptionCheck<readonly CatalogModel[]> = also(list(row, { entriesMax: rowsMax }), repeatedIds);
