import type { DocumentLimits } from './document-limits.ts';
import type { DocumentPage } from './read-document.ts';

/** A piece of a document, of one page only. */
export interface TextChunk {
  readonly page: number | null;
  /** Where it stands in the text of its page, in UTF-16 units. */
  readonly startIndex: number;
  readonly endIndex: number;
  readonly text: string;
}

type Sizes = Pick<DocumentLimits, 'chunkCharactersMax' | 'overlapCharacters'>;

const lineFeed = 0x0a;

/** Space as `\s` has it; the unit is compared first, as nearly all are of ASCII. */
const isSpaceAt = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return /\s/.test(text.charAt(at));
};

const isLineFeedAt = (text: string, at: number): boolean => text.charCodeAt(at) === lineFeed;

/** Whether a paragraph ends with the line feed at this place: another one is before it, with nothing but space between. */
const endsParagraph = (text: string, from: number, at: number): boolean => {
  if (!isLineFeedAt(text, at)) return false;
  for (let before = at - 1; before >= from && isSpaceAt(text, before); before -= 1)
    if (text[before] === '\n') return true;
  return false;
};

/** Whether a sentence ends before the space at this place, quotes and brackets that are closed behind it included. */
const endsSentence = (text: string, from: number, at: number): boolean => {
  if (!isSpaceAt(text, at)) return false;
  let before = at - 1;
  while (before >= from && `"'”’)]`.includes(text.charAt(before))) before -= 1;
  return before >= from && '.!?…'.includes(text.charAt(before));
};

/** Where a cut does the least harm, the best places first: behind the character at a place for which one of these holds. */
const breaks: readonly ((text: string, from: number, at: number) => boolean)[] = [
  endsParagraph,
  endsSentence,
  (text, _from, at) => isLineFeedAt(text, at),
  (text, _from, at) => isSpaceAt(text, at),
];
/** A chunk is filled at least so far before it is cut. */
const filledMin = 0.6;

/** Searched from the end, so that what stands before the last break costs nothing. */
const lastBreak = (text: string, from: number, to: number): number | null => {
  for (const isBreak of breaks) for (let at = to - 1; at >= from; at -= 1) if (isBreak(text, from, at)) return at + 1;
  return null;
};

/** Never in the middle of a character that has two units. */
const wholeCharacter = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
};

const cutAt = (text: string, from: number, { chunkCharactersMax }: Sizes): number => {
  const end = from + chunkCharactersMax;
  if (end >= text.length) return text.length;
  return lastBreak(text, from + Math.floor(chunkCharactersMax * filledMin), end) ?? wholeCharacter(text, end);
};

/** The next chunk begins with a word of this one's end, where it has words. */
const beginAt = (text: string, cut: number, { overlapCharacters }: Sizes): number => {
  const from = cut - overlapCharacters;
  const space = text.slice(from, cut).search(/\s/);
  return space === -1 ? wholeCharacter(text, from) : from + space + 1;
};

const trimmed = (page: DocumentPage, from: number, to: number): TextChunk | null => {
  const raw = page.text.slice(from, to);
  const text = raw.trim();
  if (text === '') return null;
  const startIndex = from + raw.indexOf(text);
  return { page: page.number, startIndex, endIndex: startIndex + text.length, text };
};

/** What no database stores and no reader needs. Every unit becomes one, so that places stay what they are. */
const cleaned = ({ number, text }: DocumentPage): DocumentPage => ({
  number,
  text: text.toWellFormed().replaceAll('\0', '\u{FFFD}'),
});

function* chunksOf(page: DocumentPage, sizes: Sizes): Generator<TextChunk> {
  const { text } = page;
  let from = 0;
  while (from < text.length) {
    const cut = cutAt(text, from, sizes);
    const chunk = trimmed(page, from, cut);
    if (chunk !== null) yield chunk;
    if (cut === text.length) return;
    from = beginAt(text, cut, sizes);
  }
}

/**
 * Cuts pages into chunks that overlap, at the ends of paragraphs, sentences or words where there are any. No chunk goes over the
 * end of its page, so that each has one to be cited by. Null where there are more than allowed.
 */
export const chunkPages = (pages: readonly DocumentPage[], limits: DocumentLimits): readonly TextChunk[] | null => {
  const chunks: TextChunk[] = [];
  for (const page of pages)
    for (const chunk of chunksOf(cleaned(page), limits)) {
      if (chunks.length === limits.chunksMax) return null;
      chunks.push(chunk);
    }
  return chunks;
};
