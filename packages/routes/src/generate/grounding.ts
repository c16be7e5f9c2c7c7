import type { JsonObject, Part } from '@tollgate/provider';
import { toWireParts } from './to-wire-parts.ts';

/** A visible text of an answer, and where it stands. */
interface SaidText {
  readonly text: string;
  /** Its place among the parts that are sent. */
  readonly partIndex: number;
  /** Characters of the visible texts before it. */
  readonly before: number;
}

const saidTexts = (parts: readonly Part[]): readonly SaidText[] => {
  const texts: SaidText[] = [];
  let [partIndex, before] = [0, 0];
  for (const part of parts) {
    if (part.kind === 'text' && part.thought !== true) {
      texts.push({ text: part.text, partIndex, before });
      before += part.text.length;
    }
    partIndex += toWireParts([part]).parts.length;
  }
  return texts;
};

/** The words that a citation is of, counted in bytes of their part; undefined where no part has them whole. */
const segmentOf = (texts: readonly SaidText[], citation: JsonObject): object | undefined => {
  const [start, end] = [Number(citation['start_index']), Number(citation['end_index'])];
  const said = texts.find(({ before, text }) => before <= start && start < end && end <= before + text.length);
  if (said === undefined) return undefined;
  const { partIndex, text } = said;
  const startIndex = Buffer.byteLength(text.slice(0, start - said.before));
  const words = text.slice(start - said.before, end - said.before);
  return {
    partIndex: partIndex === 0 ? undefined : partIndex,
    startIndex: startIndex === 0 ? undefined : startIndex,
    endIndex: startIndex + Buffer.byteLength(words),
    text: words,
  };
};

/** What an answer cites, as `groundingMetadata` has it: each page once, and which words it supports; undefined without citations. */
export const groundingOf = (parts: readonly Part[]): JsonObject | undefined => {
  const citations = parts
    .flatMap((part) => (part.kind === 'text' && part.thought !== true ? (part.annotations ?? []) : []))
    .filter((citation) => citation['type'] === 'url_citation' && typeof citation['url'] === 'string');
  if (citations.length === 0) return undefined;
  const places = new Map<unknown, number>();
  const groundingChunks = citations.flatMap(({ url, title }) => {
    if (places.has(url)) return [];
    places.set(url, places.size);
    return [{ web: { uri: url, title } }];
  });
  const texts = saidTexts(parts);
  const groundingSupports = citations.flatMap((citation) => {
    const segment = segmentOf(texts, citation);
    return segment === undefined ? [] : [{ segment, groundingChunkIndices: [places.get(citation['url'])] }];
  });
  return { groundingChunks, groundingSupports };
};
