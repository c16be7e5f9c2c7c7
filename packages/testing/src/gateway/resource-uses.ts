import type { Ask } from './gateway-world.ts';
import { helloContent } from './generate-ask.ts';
import type { MadeResource } from './kind-rows.ts';
import { suiteModel } from './suite-tariff.ts';

const interaction = (key: string, more: object): Ask => ({
  key,
  path: '/interactions',
  body: { input: 'Hello', ...more },
});

/** Requests that use a resource by its id, for the kinds that can be used. */
export const usesOf = ({ row, id, key }: MadeResource): readonly Ask[] => {
  const generated = `/models/${suiteModel}:generateContent`;
  switch (row.kind) {
    case 'cache':
      return [{ key, path: generated, body: { contents: [helloContent], cachedContent: `caches/${id}` } }];
    case 'video':
      return [{ key, path: '/videos', body: { prompt: 'Go on.', video: id, resolution: '720p' } }];
    case 'store':
      return [interaction(key, { tools: [{ type: 'file_search', stores: [id] }] })];
    case 'interaction':
      return [interaction(key, { previous_interaction_id: id })];
    case 'agent':
      return [interaction(key, { agent_id: id })];
    case 'environment':
      return [interaction(key, { environment_id: id }), { key, path: `/environments/${id}/files` }];
    case 'batch':
    case 'document':
      return [];
  }
};
