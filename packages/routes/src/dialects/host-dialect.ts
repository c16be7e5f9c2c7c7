import type { Dialect } from './dialect.ts';
import { createGeneration } from './generation/create-generation.ts';
import type { GenerationDialect } from './generation/generation-dialect.ts';
import { wirePath } from './wire-path.ts';

/** The dialects that a host adds, each at its own path. */
export const hostDialect = (dialects: readonly GenerationDialect[]): Dialect => {
  const byPath = new Map(dialects.map((dialect) => [dialect.path, dialect]));
  return {
    read: (basePath, asked) => {
      const path = wirePath(basePath, asked.path);
      const isSpoken = path.startsWith(`${basePath}/`) && byPath.has(path.slice(basePath.length));
      return { request: isSpoken ? { ...asked, path } : asked, isSpoken };
    },
    methodOf: ({ method }, path) => {
      const dialect = byPath.get(path);
      if (dialect === undefined || method !== 'POST') return null;
      return {
        route: 'createChatCompletion',
        purpose: 'opening',
        run: (service, access, request) => createGeneration({ service, access, request, dialect }),
      };
    },
    toError: (answer) => answer,
  };
};
