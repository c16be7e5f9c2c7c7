import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeName, placesOf } from '../scripts/hostile/body-places.ts';
import { sampleOf } from '../scripts/hostile/body-sample.ts';
import { fillers } from '../scripts/hostile/fillers.ts';
import { hostileBodies } from '../scripts/hostile/hostile-bodies.ts';
import { hostileRoutes } from '../scripts/hostile/hostile-routes.ts';
import { shapeOf } from '../scripts/hostile/json-shape.ts';
import { routes } from '../packages/contract/src/index.ts';
import { memoryStorage } from '../packages/storage-memory/src/index.ts';
import { createGateway, silentLogger, type Gateway } from '../packages/tollgate/src/index.ts';

const nodesMax = 10_000;
const bytes = 40_000;
/** Deeper ones take the same way, and are for `npm run hostile`. */
const placeDepthMax = 2;

let gateway: Gateway;
const keys = new Map<string, string>();
beforeAll(async () => {
  gateway = await createGateway({ storage: memoryStorage(), logger: silentLogger, bodyNodesMax: nodesMax });
  const { id: accountId } = await gateway.admin.createAccount({ name: 'hostile' });
  await gateway.admin.deposit({ accountId, amountMicros: 1_000_000_000_000n, reference: 'hostile' });
  for (const model of new Set(hostileRoutes.map((route) => route.model))) {
    const project = await gateway.admin.createProject({ accountId, name: model });
    const made = await gateway.admin.createKey({ projectId: project?.id ?? '', model });
    keys.set(model, made?.key ?? '');
  }
});
afterAll(() => gateway.close({ drainMs: 0 }));

const send = async (route: (typeof hostileRoutes)[number], body: string) => {
  const answer = await gateway.fetch(
    new Request(`https://gateway.invalid/api/v1/ai${route.path}`, {
      method: route.method,
      headers: { authorization: `Bearer ${keys.get(route.model)}`, 'content-type': 'application/json' },
      body,
    }),
  );
  return { status: answer.status, text: await answer.text() };
};

/** Signs outside of texts, counted in the plainest way. */
const signsOf = (text: string): number => (text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/[[{,:]/g) ?? []).length;

/** The texts that are parsed while something runs. */
const parsedDuring = async (run: () => Promise<void>): Promise<readonly string[]> => {
  const texts: string[] = [];
  const { parse } = JSON;
  JSON.parse = (text: string, ...more: []): unknown => {
    texts.push(text);
    return parse(text, ...more) as unknown;
  };
  try {
    await run();
  } finally {
    JSON.parse = parse;
  }
  return texts;
};

test('reaches every route with a body, and every place that its schema knows', () => {
  const bodied = routes.filter(({ request }) => request !== null).map(({ id }) => id);
  expect(hostileRoutes.map(({ id }) => id)).toEqual(bodied);
  const places = new Set(
    hostileRoutes.flatMap(({ id, schema }) => placesOf(shapeOf(schema)).map((place) => `${id} ${placeName(place)}`)),
  );
  for (const place of [
    'createChatCompletion messages.*.content.*.image_url.url',
    'createChatCompletion response_format.json_schema.schema',
    'generateContent tools.*.functionDeclarations.*.parameters',
    'createBatch requests.*.request',
    'createInteraction tools.*.headers',
    'createEnvironment sources.*',
    'createTrigger interaction.input.*',
    'createAgent tools.*.parameters',
  ])
    expect(places, place).toContain(place);
});

test('makes JSON of the size it is asked for, whatever is filled in', () => {
  for (const { name, write } of fillers) {
    const text = write({ bytes: 20_000, nodesMax: Infinity, namesMax: Infinity });
    expect(() => JSON.parse(text) as unknown, name).not.toThrow();
    expect(Buffer.byteLength(text) / 20_000, name).toBeCloseTo(1, 1);
    const within = write({ bytes: 20_000, nodesMax: 200, namesMax: 50 });
    // A schema has a head beside what is counted.
    expect(signsOf(within), name).toBeLessThanOrEqual(name.startsWith('schema') ? 700 : 230);
  }
});

test('begins with bodies that their routes accept', () => {
  for (const { id, schema } of hostileRoutes) {
    // Text and content exclude each other there, which the schema does not say.
    if (id === 'createEmbeddings') continue;
    const sample = sampleOf(shapeOf(schema), null);
    expect(schema.safeParse(sample).success, `${id} ${JSON.stringify(sample)}`).toBe(true);
  }
});

test.each(hostileRoutes)('refuses every body of $id that holds too much, and parses none of it', async (route) => {
  let refused = 0;
  const texts = await parsedDuring(async () => {
    for (const { place, filler, build } of hostileBodies(route.schema, {
      bytes,
      nodesMax: Infinity,
      namesMax: Infinity,
    })) {
      if (place.split('.').length > placeDepthMax) continue;
      const body = build();
      const signs = signsOf(body);
      const { status, text } = await send(route, body);
      // Never a fault of ours, whatever was sent.
      expect(status, `${place} ${filler} ${text}`).toBeLessThan(500);
      if (signs <= nodesMax) continue;
      // What is looked up by its path before the body is read is not found.
      const told = `${status} ${text}`;
      expect(told, `${place} ${filler}`).toMatch(/^404|^413 .*"code":"body_too_large"|^422 .*more than 128 levels/);
      refused += 1;
    }
  });
  expect(refused).toBeGreaterThan(5);
  expect(Math.max(0, ...texts.map(signsOf))).toBeLessThanOrEqual(nodesMax);
});
