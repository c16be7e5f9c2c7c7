import { checkConfiguration, optionsCheck, whole } from '@tollgate/contract/configuration';
import type { ToolOutcome, ToolRunner } from '@tollgate/engine';
import { queriesParameters, readQueries } from './queries-argument.ts';

/** A place in the contract's form, as the client is shown it. */
export interface FoundPlace {
  readonly place_id: string;
  readonly name: string;
  readonly address?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  /** On a map that people can look at. */
  readonly url?: string;
  readonly website?: string;
  readonly phone?: string;
  readonly category?: string;
  /** From 1 to 5. */
  readonly rating?: number;
  readonly rating_count?: number;
  readonly opening_hours?: readonly string[];
}

export interface MapPosition {
  readonly latitude: number;
  readonly longitude: number;
}

export type PlacesAnswer =
  | { readonly kind: 'found'; readonly places: readonly FoundPlace[] }
  /** The service refused or failed, and bills nothing. */
  | { readonly kind: 'failed' };

/** A service of the host's choice that knows places. */
export interface PlaceFinder {
  /** Returns at most so many places, best first, near a position where there is one. Throws only where it was let go of. */
  readonly find: (
    query: string,
    limits: { readonly near: MapPosition | null; readonly placesMax: number; readonly signal: AbortSignal },
  ) => Promise<PlacesAnswer>;
}

export interface MapsOptions {
  readonly queriesMax?: number;
  /** For each query. */
  readonly placesMax?: number;
}

const mapsCheck = optionsCheck<MapsOptions>({ queriesMax: whole({ min: 1 }), placesMax: whole({ min: 1 }) });

const queriesMaxDefault = 3;
const placesMaxDefault = 8;

/** Names of the fields as a model reads them, one a line. */
const describePlace = (place: FoundPlace): string =>
  Object.entries(place)
    .filter(([name]) => name !== 'place_id')
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join('; ') : String(value)}`)
    .join('\n');

const told = (query: string, answer: PlacesAnswer): string => {
  if (answer.kind === 'failed') return `Places for ${query}:\n[The search failed.]`;
  const places = answer.places.map(describePlace);
  return `Places for ${query}:\n${places.length === 0 ? '[Nothing was found.]' : places.join('\n\n')}`;
};

const citationsOf = (answers: readonly PlacesAnswer[]) => {
  const places = answers.flatMap((answer) => (answer.kind === 'found' ? answer.places : []));
  const byId = new Map(places.map((place) => [place.place_id, place]));
  return Array.from(byId.values(), ({ place_id, name, url }) => ({
    type: 'place_citation',
    place_id,
    name,
    ...(url !== undefined && { url }),
  }));
};

const toOutcome = (queries: readonly string[], answers: readonly PlacesAnswer[]): ToolOutcome => {
  const asked = queries.flatMap((query, index) => {
    const answer = answers[index];
    return answer === undefined ? [] : [{ query, answer }];
  });
  const quantity = answers.filter(({ kind }) => kind === 'found').length;
  return {
    result: asked.map(({ query, answer }) => ({ query, places: answer.kind === 'found' ? answer.places : [] })),
    told: asked.map(({ query, answer }) => told(query, answer)).join('\n\n---\n\n'),
    ...(quantity === 0 && { isError: true }),
    annotations: citationsOf(answers),
    usage: [{ unit: 'maps_queries', quantity, confirmed: true }],
  };
};

/**
 * Finds places by a service of the host's choice, near the position that the client gave with the tool. Every query that was
 * answered is one of `maps_queries`, also one that found nothing; one that failed is none.
 */
export const maps = (finder: PlaceFinder, options: MapsOptions = {}): ToolRunner<'maps'> => {
  checkConfiguration('maps', mapsCheck, options);
  const { queriesMax = queriesMaxDefault, placesMax = placesMaxDefault } = options;
  return {
    tool: 'maps',
    isRepeatable: true,
    callUsageMax: [{ unit: 'maps_queries', quantity: queriesMax }],
    declare: async ({ latitude, longitude }) => [
      {
        name: 'find_places',
        description: `Finds places: shops, restaurants, sights, addresses.${
          latitude === undefined || longitude === undefined
            ? ' Say in each query where.'
            : ` Those near latitude ${latitude}, longitude ${longitude} come first.`
        }`,
        parameters: queriesParameters(queriesMax, 'What to find, as in "bakery in Recife"'),
      },
    ],
    run: async ({ latitude, longitude }, { arguments: { queries: asked } }, { signal }) => {
      const queries = readQueries(asked, queriesMax);
      if (queries === undefined)
        return { result: `The argument queries must be 1 to ${queriesMax} texts.`, isError: true, usage: [] };
      const near = latitude === undefined || longitude === undefined ? null : { latitude, longitude };
      const find = (query: string): Promise<PlacesAnswer> => finder.find(query, { near, placesMax, signal });
      return toOutcome(queries, await Promise.all(queries.map(find)));
    },
  };
};
