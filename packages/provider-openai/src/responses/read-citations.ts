import { asArray, asCount, asObject, asText, urlCitation, type JsonObject } from '@tollgate/provider';

/** Citations of one text. */
const citationsMax = 256;

/** The pages that a text cites, which begins so many characters into the answer; what it cites in another form is left out. */
export const readCitations = (annotations: unknown, offsetChars: number): readonly JsonObject[] =>
  asArray(annotations)
    .slice(0, citationsMax)
    .flatMap((value): readonly JsonObject[] => {
      const cited = asObject(value);
      const url = asText(cited?.['url']);
      if (cited === undefined || cited['type'] !== 'url_citation' || url === undefined) return [];
      const [start, end] = [asCount(cited['start_index']), asCount(cited['end_index'])];
      const isPlaced = start !== undefined && end !== undefined;
      const place = isPlaced ? { start: offsetChars + start, end: offsetChars + end } : {};
      return [urlCitation({ url, title: asText(cited['title']), ...place })];
    });
