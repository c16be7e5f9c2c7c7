import { asArray, asObject, asText, urlCitation, type JsonObject, type UntrustedObject } from '@tollgate/provider';

/** Citations of one block of text. */
const citationsMax = 256;

/** The pages that a block of text cites, where it begins after so many characters of the answer. */
export const readCitations = (block: UntrustedObject, start: number): readonly JsonObject[] => {
  const text = asText(block['text']) ?? '';
  return asArray(block['citations'])
    .slice(0, citationsMax)
    .flatMap((value) => {
      const citation = asObject(value) ?? {};
      const url = asText(citation['url']);
      if (url === undefined) return [];
      return [urlCitation({ url, title: asText(citation['title']), start, end: start + text.length })];
    });
};
