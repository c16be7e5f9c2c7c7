import { asArray, asObject, asText, urlCitation, type JsonObject } from '@tollgate/provider';

/** Citations of one answer. */
const citationsMax = 256;

const asPlace = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** The pages that a message cites; what it cites in another form is left out. */
export const readCitations = (annotations: unknown): readonly JsonObject[] =>
  asArray(annotations)
    .slice(0, citationsMax)
    .flatMap((value): readonly JsonObject[] => {
      const cited = asObject(asObject(value)?.['url_citation']);
      const url = asText(cited?.['url']);
      if (cited === undefined || url === undefined) return [];
      const [start, end] = [asPlace(cited['start_index']), asPlace(cited['end_index'])];
      const isPlaced = start !== undefined && end !== undefined;
      return [
        urlCitation({
          url,
          title: asText(cited['title']),
          start: isPlaced ? start : undefined,
          end: isPlaced ? end : undefined,
        }),
      ];
    });
