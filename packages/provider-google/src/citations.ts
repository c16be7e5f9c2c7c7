import { asArray, asObject, asText, urlCitation, type JsonObject, type UntrustedObject } from '@tollgate/provider';

/** Citations of one answer. */
const citationsMax = 256;

/** The upstream names most pages by an address of its own, which is not passed on, and by their host. */
const hostName = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i;

interface Page {
  readonly url: string;
  readonly title: string | undefined;
}

const pageOf = (chunk: unknown): Page | undefined => {
  const web = asObject(asObject(chunk)?.['web']);
  const title = asText(web?.['title']);
  const host = [asText(web?.['domain']), title].find((name) => name !== undefined && hostName.test(name));
  const url = asText(web?.['uri']) ?? (host === undefined ? undefined : `https://${host}/`);
  return url === undefined ? undefined : { url, title };
};

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The upstream counts bytes. A place that does not hold the words that it names is looked for by them. */
const placeOf = (text: string, bytes: Buffer, segment: UntrustedObject): Place | undefined => {
  const [startIndex = 0, endIndex] = [segment['startIndex'], segment['endIndex']];
  const words = asText(segment['text']);
  if (Number.isSafeInteger(startIndex) && Number.isSafeInteger(endIndex)) {
    const start = bytes.toString('utf8', 0, Number(startIndex)).length;
    const end = bytes.toString('utf8', 0, Number(endIndex)).length;
    if (end > start && (words === undefined || text.slice(start, end) === words)) return { start, end };
  }
  const found = words === undefined ? -1 : text.indexOf(words);
  return found < 0 || words === undefined ? undefined : { start: found, end: found + words.length };
};

/** What a text cites, by the grounding that came with it; `before` characters stand before the text. */
export const citationsOf = (grounding: UntrustedObject, text: string, before: number): readonly JsonObject[] => {
  const pages = asArray(grounding['groundingChunks']).map(pageOf);
  const bytes = Buffer.from(text);
  const supported = asArray(grounding['groundingSupports'])
    .slice(0, citationsMax)
    .flatMap((value): readonly JsonObject[] => {
      const support = asObject(value) ?? {};
      const place = placeOf(text, bytes, asObject(support['segment']) ?? {});
      return asArray(support['groundingChunkIndices']).flatMap((index) => {
        const page = typeof index === 'number' ? pages[index] : undefined;
        if (page === undefined) return [];
        return [urlCitation({ ...page, start: place && before + place.start, end: place && before + place.end })];
      });
    });
  const cited =
    supported.length > 0 ? supported : pages.flatMap((page) => (page === undefined ? [] : [urlCitation(page)]));
  return cited.slice(0, citationsMax);
};
