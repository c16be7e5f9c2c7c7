import {
  callable,
  checkConfiguration,
  number,
  optionsCheck,
  required,
  text as textCheck,
  timerMs,
  webAddress,
} from '@tollgate/contract/configuration';
import { callService } from '../call-service.ts';
import { asList, asNumber, asRecord, asText } from '../json-reading.ts';
import type { FoundPlace, PlaceFinder } from '../maps.ts';

export interface GooglePlacesOptions {
  /** A key for the Places API (New); sent to that service and nowhere else. */
  readonly apiKey: string;
  readonly baseUrl?: string;
  /** As in `pt-BR`. */
  readonly language?: string;
  /** Two letters, as in `BR`. */
  readonly region?: string;
  /** How far around a position places come first. */
  readonly radiusMetres?: number;
  readonly deadlineMs?: number;
  readonly fetch?: typeof fetch;
}

const googlePlacesCheck = optionsCheck<GooglePlacesOptions>({
  apiKey: required(textCheck({ isSecret: true })),
  baseUrl: webAddress(),
  language: textCheck(),
  region: textCheck(),
  radiusMetres: number({ min: 0 }),
  deadlineMs: timerMs({ min: 1 }),
  fetch: callable(),
});

const baseUrlDefault = 'https://places.googleapis.com/v1';
const deadlineMsDefault = 15_000;
const radiusMetresDefault = 10_000;
const answerBytesMax = 2 * 1024 * 1024;
/** The service's own limits. */
const placesMaxOfService = 20;
const radiusMetresMaxOfService = 50_000;
const textCharsMax = 500;
const daysMax = 7;

/** What is asked for decides what is billed, so it is written out. */
const fields = [
  'id',
  'displayName',
  'formattedAddress',
  'location',
  'googleMapsUri',
  'websiteUri',
  'internationalPhoneNumber',
  'primaryTypeDisplayName',
  'rating',
  'userRatingCount',
  'regularOpeningHours.weekdayDescriptions',
];
const fieldMask = fields.map((field) => `places.${field}`).join(',');

type Known<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const known = <T extends object>(values: T): Known<T> =>
  // Leaves members out that are undefined, and keeps the others as they are.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Known<T>;

const text = (value: unknown): string | undefined => asText(value, textCharsMax);

const fromPlace = (value: unknown): readonly FoundPlace[] => {
  const place = asRecord(value);
  const placeId = text(place?.['id']);
  const name = text(asRecord(place?.['displayName'])?.['text']);
  if (place === undefined || placeId === undefined || name === undefined) return [];
  const location = asRecord(place['location']);
  const days = asList(asRecord(place['regularOpeningHours'])?.['weekdayDescriptions']);
  const hours = days.flatMap((day) => text(day) ?? []).slice(0, daysMax);
  const details = known({
    address: text(place['formattedAddress']),
    latitude: asNumber(location?.['latitude']),
    longitude: asNumber(location?.['longitude']),
    url: text(place['googleMapsUri']),
    website: text(place['websiteUri']),
    phone: text(place['internationalPhoneNumber']),
    category: text(asRecord(place['primaryTypeDisplayName'])?.['text']),
    rating: asNumber(place['rating']),
    rating_count: asNumber(place['userRatingCount']),
    opening_hours: hours.length === 0 ? undefined : hours,
  });
  return [{ place_id: placeId, name, ...details }];
};

/** Places by the text search of Google's Places API (New), `POST /places:searchText`. */
export const googlePlaces = (options: GooglePlacesOptions): PlaceFinder => {
  checkConfiguration('googlePlaces', googlePlacesCheck, options);
  const { apiKey, baseUrl = baseUrlDefault, language, region, deadlineMs = deadlineMsDefault } = options;
  const radius = Math.min(options.radiusMetres ?? radiusMetresDefault, radiusMetresMaxOfService);
  return {
    find: async (query, { near, placesMax, signal }) => {
      const body = {
        textQuery: query,
        pageSize: Math.min(placesMax, placesMaxOfService),
        ...(language !== undefined && { languageCode: language }),
        ...(region !== undefined && { regionCode: region }),
        ...(near !== null && { locationBias: { circle: { center: near, radius } } }),
      };
      const answer = await callService({
        fetch: options.fetch ?? fetch,
        url: new URL(`${baseUrl}/places:searchText`),
        init: {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-goog-api-key': apiKey, 'x-goog-fieldmask': fieldMask },
          body: JSON.stringify(body),
        },
        deadlineMs,
        answerBytesMax,
        signal,
      });
      if (answer.kind === 'failed') return { kind: 'failed' };
      const places = asList(asRecord(answer.json)?.['places']).flatMap(fromPlace);
      return { kind: 'found', places: places.slice(0, placesMax) };
    },
  };
};
