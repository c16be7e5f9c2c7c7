import { asArray, asObject, type Part, type UntrustedObject, type UsageUnit } from '@tollgate/provider';

/** What tools did in one request, counted as it comes in: parts add up, metadata is reported anew with each event. */
export interface ToolMeter {
  readonly takePart: (part: Part) => void;
  /** Reads what a candidate tells of the tools beside its content. */
  readonly takeFindings: (candidate: UntrustedObject) => void;
  /** Only what happened; a zero of tools that were not requested is no measure. */
  readonly quantities: () => ReadonlyMap<UsageUnit, number>;
}

export const createToolMeter = (): ToolMeter => {
  const counts = new Map<UsageUnit, number>();
  const add = (unit: UsageUnit, count: number): void => void counts.set(unit, (counts.get(unit) ?? 0) + count);
  const atLeast = (unit: UsageUnit, count: number): void => {
    if (count > (counts.get(unit) ?? 0)) counts.set(unit, count);
  };
  return {
    takePart: (part) => {
      if (part.kind === 'executable_code') add('code_execution_runs', 1);
      if (part.kind === 'media' && part.thought !== true && part.mimeType.startsWith('image/')) add('images', 1);
    },
    takeFindings: (candidate) => {
      const grounding = asObject(candidate['groundingMetadata']);
      if (grounding !== undefined) {
        const searches =
          asArray(grounding['webSearchQueries']).length + asArray(grounding['imageSearchQueries']).length;
        atLeast('web_search_queries', searches);
        atLeast('retrieval_queries', asArray(grounding['retrievalQueries']).length);
      }
      const pages = asObject(candidate['urlContextMetadata']);
      if (pages !== undefined) atLeast('url_fetches', fetchesOf(pages));
    },
    quantities: () => counts,
  };
};

/** Pages that were read; one that could not be read brought nothing into the input. */
const fetchesOf = (pages: UntrustedObject): number =>
  asArray(pages['urlMetadata']).filter(
    (page) => asObject(page)?.['urlRetrievalStatus'] === 'URL_RETRIEVAL_STATUS_SUCCESS',
  ).length;
