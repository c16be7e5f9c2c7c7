/** What a text is made of, each with its weight. */
export type Features = ReadonlyMap<string, number>;

const gramSizes = [3, 4] as const;
/** Beginnings of words stand for their stems. */
const stemCharacters = 5;
/** Words no longer than this mostly say how others belong together. */
const shortWordCharactersMax = 3;
const shortWordWeight = 0.2;
const stemWeight = 0.5;

const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const gramsOf = (word: string): readonly string[] => {
  const framed = `_${word}_`;
  return gramSizes.flatMap((size) =>
    Array.from({ length: Math.max(0, framed.length - size + 1) }, (_, at) => framed.slice(at, at + size)),
  );
};

/** Words, their beginnings, and runs of their letters, so that texts that share any of these come out near each other. */
export const textFeatures = (text: string): Features => {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const features = new Map<string, number>();
  const add = (feature: string, weight: number): void =>
    void features.set(feature, (features.get(feature) ?? 0) + weight);
  for (const [word, count] of counts) {
    const weight = Math.sqrt(count) * (word.length <= shortWordCharactersMax ? shortWordWeight : 1);
    add(`word ${word}`, weight);
    add(`stem ${word.slice(0, stemCharacters)}`, weight * stemWeight);
    const grams = gramsOf(word);
    for (const gram of grams) add(`gram ${gram}`, weight / Math.sqrt(grams.length));
  }
  return features;
};
