import assert from 'node:assert/strict';
import { resourceKinds, type ResourceKind, type ResourceState } from '@tollgate/contract';
import { okJson } from './answer.ts';
import { entry } from './batch-ask.ts';
import { bookText, cacheBody, upstreamCacheSettings } from './cache-ask.ts';
import { inline } from './environment-ask.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { helloContent, ofTurn } from './generate-ask.ts';
import { textFileId } from './store-ask.ts';
import { suiteModel } from './suite-tariff.ts';
import { videoModel } from './video-ask.ts';

/** Stands in the content of every body; no record may repeat it. */
export const marker = 'seagulls over the harbour';

/** What a case over all kinds knows of one of them. */
export interface KindRow {
  readonly kind: ResourceKind;
  readonly path: string;
  /** What a key must be bound to in order to create one. */
  readonly model: string;
  /** Where one stands once nothing is left to do. */
  readonly usable: 'active' | 'completed';
  /** Whether its creation is work that takes its time and is charged. */
  readonly deferred: boolean;
  /** A body to create one; what it names is made beforehand with the same key. */
  readonly body: (world: GatewayWorld, key: string) => Promise<object>;
  /** Has the provider wait in the middle of the next one. */
  readonly hold: (world: GatewayWorld, gate: Promise<unknown>) => void;
  /** The states that one shows from its creation to its deletion, in their order. */
  readonly trace: readonly ResourceState[];
  /** Requests that use one by its id, each with its path below the base path; none where none can. */
  readonly uses: (id: string) => readonly Pick<Ask, 'path' | 'body'>[];
}

const waiting = (gate: Promise<unknown>) => ({ kind: 'wait', until: gate, next: { kind: 'answer' } }) as const;

const holdCall: KindRow['hold'] = (world, gate) => world.provider.script(waiting(gate));

const documentBody: KindRow['body'] = async (world, key) => ({
  store: okJson(await world.send({ key, path: '/stores', body: {} }))
    .at('id')
    .text(),
  file: await textFileId(world, marker, { key }),
});

const inInteraction = (more: object) => [{ path: '/interactions', body: { input: 'Hello', ...more } }];

const plain = { model: suiteModel, usable: 'active', deferred: false, hold: holdCall } as const;
const deferred = { model: suiteModel, usable: 'completed', deferred: true, hold: holdCall } as const;

const bodyOf = (body: object) => ({ body: () => Promise.resolve(body) });

/** Every kind of resource, with a body to create one. */
export const kindRows: readonly KindRow[] = [
  {
    ...deferred,
    kind: 'cache',
    trace: ['reserved', 'processing', 'active', 'expired', 'deleted'],
    path: '/caches',
    usable: 'active',
    hold: (world, gate) => world.provider.scriptCaches(waiting(gate)),
    uses: (id) => [
      {
        path: `/models/${suiteModel}:generateContent`,
        body: { contents: [helloContent], cachedContent: `caches/${id}` },
      },
    ],
    ...bodyOf({ ...cacheBody, contents: [{ parts: [{ text: `${marker} ${bookText}` }] }] }),
  },
  {
    ...deferred,
    kind: 'batch',
    trace: ['reserved', 'processing', 'cancelling', 'completed', 'deleted'],
    path: '/batches',
    uses: () => [],
    ...bodyOf({ requests: [entry('a', ofTurn({ text: marker }))] }),
  },
  {
    ...deferred,
    kind: 'video',
    trace: ['reserved', 'processing', 'completed', 'expired', 'deleted'],
    path: '/videos',
    model: videoModel,
    hold: (world, gate) => world.provider.scriptVideos(waiting(gate)),
    uses: (id) => [{ path: '/videos', body: { prompt: 'Go on.', video: id, resolution: '720p' } }],
    ...bodyOf({ prompt: marker }),
  },
  {
    ...plain,
    kind: 'store',
    trace: ['active', 'deleted'],
    path: '/stores',
    uses: (id) => inInteraction({ tools: [{ type: 'file_search', stores: [id] }] }),
    ...bodyOf({ display_name: 'Harbour' }),
  },
  {
    ...deferred,
    kind: 'document',
    trace: ['reserved', 'processing', 'completed', 'deleted'],
    path: '/documents',
    uses: () => [],
    body: documentBody,
  },
  {
    ...deferred,
    kind: 'interaction',
    trace: ['reserved', 'processing', 'cancelling', 'completed', 'deleted'],
    path: '/interactions',
    uses: (id) => inInteraction({ previous_interaction_id: id }),
    ...bodyOf({ input: marker }),
  },
  {
    ...plain,
    kind: 'agent',
    trace: ['active', 'deleted'],
    path: '/agents',
    uses: (id) => inInteraction({ agent_id: id }),
    ...bodyOf({ system_instruction: 'Be brief.' }),
  },
  {
    ...plain,
    kind: 'environment',
    trace: ['active', 'expired', 'deleted'],
    path: '/environments',
    uses: (id) => [...inInteraction({ environment_id: id }), { path: `/environments/${id}/files` }],
    ...bodyOf({ sources: [inline('a.txt', marker)] }),
  },
];

assert.deepEqual(
  kindRows.map(({ kind }) => kind),
  resourceKinds,
);

/** A world in which every kind can be created and held; its provider keeps caches itself. */
export const everyKind = upstreamCacheSettings;
