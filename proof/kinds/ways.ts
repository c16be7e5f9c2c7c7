import type { Random } from '../torture/random.ts';
import { callsModel, jobsModel, videoModel } from './kinds-gateway.ts';

/** What every resource may need that is made before the kills begin. */
export interface Ground {
  readonly accountId: string;
  /** By model. */
  readonly keys: Readonly<Record<string, string>>;
  /** One that the gateway indexes, and one that its provider keeps. */
  readonly stores: { readonly own: string; readonly upstream: string };
  readonly files: readonly string[];
}

/** Of a hundred resources, with how many the client does what. */
interface Habits {
  readonly cancel?: number;
  readonly patch?: number;
  readonly remove?: number;
}

/** One resource type, in one way in which it is carried out. */
export interface Way {
  readonly name: string;
  readonly path: string;
  /** Of the key that asks for it. */
  readonly model: string;
  /** Free ones are whole when they are made, and no worker ever has them. */
  readonly isFree: boolean;
  /** Workers have it for no longer than a step takes: a kill that cuts a request which changes it is in the middle of it, too. */
  readonly isBrief: boolean;
  readonly habits: Habits;
  readonly body: (ground: Ground, random: Random) => unknown;
}

const itemsMax = 5;
const ttlSecondsMax = 4;
const environmentFiles = 12;

const contents = (text: string) => [{ role: 'user', parts: [{ text }] }];

const batchBody = (_ground: Ground, random: Random) => ({
  requests: Array.from({ length: 2 + random.below(itemsMax) }, (_, at) => ({
    key: `item-${at}`,
    request: { contents: contents(`question ${at}`) },
  })),
});

const cacheBody = (_ground: Ground, random: Random) => ({
  ttl_seconds: 1 + random.below(ttlSecondsMax),
  contents: contents('A long book about lighthouses. '.repeat(20)),
});

const fileOf = ({ files }: Ground, random: Random) => files[random.below(files.length)];

/** Long enough to be put aside as a blob. */
const longInput = 'Tell me more about lighthouses. '.repeat(400);

const interactionInput = (random: Random): string => (random.chance(0.3) ? longInput : 'Tell me more.');

const free = { isFree: true, isBrief: true, habits: { remove: 60 } } as const;

export const ways: readonly Way[] = [
  {
    name: 'video',
    path: '/videos',
    model: videoModel,
    isFree: false,
    isBrief: false,
    habits: { remove: 30 },
    body: () => ({ prompt: 'A lighthouse in a storm.' }),
  },
  {
    name: 'batch by items',
    path: '/batches',
    model: callsModel,
    isFree: false,
    isBrief: false,
    habits: { cancel: 10, remove: 30 },
    body: batchBody,
  },
  {
    name: 'batch as a job',
    path: '/batches',
    model: jobsModel,
    isFree: false,
    isBrief: false,
    habits: { cancel: 10, remove: 30 },
    body: batchBody,
  },
  {
    name: 'cache here',
    path: '/caches',
    model: callsModel,
    isFree: false,
    isBrief: true,
    habits: { patch: 20, remove: 40 },
    body: cacheBody,
  },
  {
    name: 'cache upstream',
    path: '/caches',
    model: jobsModel,
    isFree: false,
    isBrief: false,
    habits: { patch: 20, remove: 40 },
    body: cacheBody,
  },
  {
    name: 'document here',
    path: '/documents',
    model: callsModel,
    isFree: false,
    isBrief: false,
    habits: { remove: 40 },
    body: (ground, random) => ({ store: ground.stores.own, file: fileOf(ground, random) }),
  },
  {
    name: 'document upstream',
    path: '/documents',
    model: jobsModel,
    isFree: false,
    isBrief: false,
    habits: { remove: 40 },
    body: (ground, random) => ({ store: ground.stores.upstream, file: fileOf(ground, random) }),
  },
  {
    name: 'interaction by model rounds',
    path: '/interactions',
    model: callsModel,
    isFree: false,
    isBrief: false,
    habits: { cancel: 10, remove: 30 },
    body: (_ground, random) => ({ input: interactionInput(random), tools: [{ type: 'web_search' }] }),
  },
  {
    name: 'interaction as a job',
    path: '/interactions',
    model: jobsModel,
    isFree: false,
    isBrief: false,
    habits: { cancel: 10, remove: 30 },
    body: (_ground, random) => ({ input: interactionInput(random) }),
  },
  {
    name: 'environment',
    path: '/environments',
    model: callsModel,
    ...free,
    body: () => ({
      sources: Array.from({ length: environmentFiles }, (_, at) => ({
        type: 'inline',
        target: `notes/file-${at}.txt`,
        content: 'text '.repeat(500),
      })),
    }),
  },
  {
    name: 'store',
    path: '/stores',
    model: callsModel,
    ...free,
    body: () => ({ display_name: 'notes' }),
  },
  {
    name: 'agent',
    path: '/agents',
    model: callsModel,
    ...free,
    body: () => ({ display_name: 'helper', system_instruction: 'Answer briefly.', tools: [{ type: 'web_search' }] }),
  },
];

/** The way of an operation: documents bear the model of their store. */
export const wayOf = ({ kind, model }: { readonly kind: string; readonly model: string }): string => {
  const isJob = model === jobsModel;
  switch (kind) {
    case 'batch':
      return isJob ? 'batch as a job' : 'batch by items';
    case 'cache':
      return isJob ? 'cache upstream' : 'cache here';
    case 'document':
      return isJob ? 'document upstream' : 'document here';
    case 'interaction':
      return isJob ? 'interaction as a job' : 'interaction by model rounds';
    default:
      return kind;
  }
};
