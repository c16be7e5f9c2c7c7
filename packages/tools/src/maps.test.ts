import { expect, test } from 'vitest';
import { fakeService } from '../test/fake-service.ts';
import { toolContext } from '../test/tool-context.ts';
import { googlePlaces } from './maps/google-places.ts';
import { maps, type MapPosition, type PlaceFinder } from './maps.ts';

const counted = (quantity: number) => [{ unit: 'maps_queries', quantity, confirmed: true }];
const recife: MapPosition = { latitude: -8.05, longitude: -34.9 };

const asking =
  (finder: PlaceFinder, near: Partial<MapPosition> = {}) =>
  (queries: unknown) =>
    maps(finder).run?.(
      { kind: 'maps', ...near },
      { id: 'call', name: 'find_places', arguments: { queries } },
      toolContext(),
    );

const bakery = { place_id: 'p1', name: 'Padaria', address: 'Rua 1', opening_hours: ['Monday: 6–20', 'Sunday: closed'] };

test('returns the places of each query, cited, and counts the queries', async () => {
  const finder: PlaceFinder = {
    find: async () => ({
      kind: 'found',
      places: [bakery, { place_id: 'p2', name: 'Other', url: 'https://maps.example/2' }],
    }),
  };
  const outcome = await asking(finder)(['bakery']);
  expect(outcome).toMatchObject({
    result: [{ query: 'bakery', places: [bakery, { place_id: 'p2' }] }],
    annotations: [
      { type: 'place_citation', place_id: 'p1', name: 'Padaria' },
      { type: 'place_citation', place_id: 'p2', name: 'Other', url: 'https://maps.example/2' },
    ],
    usage: counted(1),
  });
  expect(outcome?.told).toBe(
    'Places for bakery:\nname: Padaria\naddress: Rua 1\nopening_hours: Monday: 6–20; Sunday: closed\n\nname: Other\nurl: https://maps.example/2',
  );
});

test('tells the finder, and the model, where the client is', async () => {
  const nears: (MapPosition | null)[] = [];
  const finder: PlaceFinder = {
    find: async (_, { near }) => {
      nears.push(near);
      return { kind: 'found', places: [] };
    },
  };
  await asking(finder, recife)(['bakery']);
  await asking(finder)(['bakery']);
  await asking(finder, { latitude: 1 })(['bakery']);
  expect(nears).toEqual([recife, null, null]);
  const [here] = await maps(finder).declare({ kind: 'maps', ...recife }, toolContext());
  expect(here?.description).toContain('latitude -8.05, longitude -34.9');
  const [anywhere] = await maps(finder).declare({ kind: 'maps' }, toolContext());
  expect(anywhere?.description).toContain('Say in each query where');
});

test('counts no query that failed, and asks nothing without queries', async () => {
  const failing: PlaceFinder = { find: async () => ({ kind: 'failed' }) };
  expect(await asking(failing)(['bakery'])).toMatchObject({ isError: true, usage: counted(0) });
  expect(await asking(failing)([])).toMatchObject({ isError: true, usage: [] });
});

/** An answer in the service's own form. */
const wire = {
  places: [
    {
      id: 'ChIJ1',
      displayName: { text: 'Padaria do Porto', languageCode: 'pt' },
      formattedAddress: 'Rua do Bom Jesus, 1 - Recife',
      location: { latitude: -8.06, longitude: -34.87 },
      googleMapsUri: 'https://maps.google.com/?cid=1',
      websiteUri: 'https://padaria.example/',
      internationalPhoneNumber: '+55 81 1234-5678',
      primaryTypeDisplayName: { text: 'Padaria', languageCode: 'pt' },
      rating: 4.6,
      userRatingCount: 321,
      regularOpeningHours: { weekdayDescriptions: ['segunda-feira: 06:00 – 20:00'] },
    },
    { id: 'ChIJ2', displayName: { text: 'Sem detalhes' } },
    { id: 'ChIJ3' },
    null,
  ],
};

test('asks the Places API in its own form, and reads its answer', async () => {
  const service = fakeService(() => Response.json(wire));
  const finder = googlePlaces({
    apiKey: 'places-key',
    language: 'pt-BR',
    region: 'BR',
    radiusMetres: 80_000,
    fetch: service.fetch,
  });
  const outcome = await asking(finder, recife)(['padaria']);
  expect(outcome?.result).toEqual([
    {
      query: 'padaria',
      places: [
        {
          place_id: 'ChIJ1',
          name: 'Padaria do Porto',
          address: 'Rua do Bom Jesus, 1 - Recife',
          latitude: -8.06,
          longitude: -34.87,
          url: 'https://maps.google.com/?cid=1',
          website: 'https://padaria.example/',
          phone: '+55 81 1234-5678',
          category: 'Padaria',
          rating: 4.6,
          rating_count: 321,
          opening_hours: ['segunda-feira: 06:00 – 20:00'],
        },
        { place_id: 'ChIJ2', name: 'Sem detalhes' },
      ],
    },
  ]);
  const [request] = service.requests;
  expect(request).toMatchObject({
    method: 'POST',
    url: { href: 'https://places.googleapis.com/v1/places:searchText' },
  });
  expect(request?.headers.get('x-goog-api-key')).toBe('places-key');
  expect(request?.headers.get('x-goog-fieldmask')).toContain('places.id,places.displayName,');
  expect(JSON.parse(request?.body ?? '')).toEqual({
    textQuery: 'padaria',
    pageSize: 8,
    languageCode: 'pt-BR',
    regionCode: 'BR',
    locationBias: { circle: { center: recife, radius: 50_000 } },
  });
});

test('finds nothing where the service found nothing, and fails where it refused', async () => {
  const empty = googlePlaces({ apiKey: 'k', fetch: fakeService(() => Response.json({})).fetch });
  expect(await asking(empty)(['x'])).toMatchObject({ result: [{ query: 'x', places: [] }], usage: counted(1) });
  const refusing = googlePlaces({
    apiKey: 'k',
    fetch: fakeService(() => Response.json({ error: { code: 403, status: 'PERMISSION_DENIED' } }, { status: 403 }))
      .fetch,
  });
  expect(await asking(refusing)(['x'])).toMatchObject({ isError: true, usage: counted(0) });
});
