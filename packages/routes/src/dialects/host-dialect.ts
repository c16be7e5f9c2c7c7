import { belowBase } from '../below-base.ts';
import type { Dialect } from './dialect.ts';
import type { GenerationDialect } from './generation/generation-dialect.ts';
import { generationMethod } from './generation/generation-method.ts';
import { wirePath } from './wire-path.ts';

/** The dialects that a host adds, each at its own path. */
export const hostDialect = (dialects: readonly GenerationDialect[]): Dialect => {
  const byPath = new Map(dialects.map((dialect) => [dialect.path, generationMethod(dialect)]));
  return {
    read: (basePath, asked) => {
      const path = wirePath(basePath, asked.path);
      const isSpoken = byPath.has(belowBase(basePath, path) ?? '');
      return { request: isSpoken ? { ...asked, path } : asked, isSpoken };
    },
    methodOf: ({ method }, path) => (method === 'POST' ? (byPath.get(path) ?? null) : null),
    toError: (answer) => answer,
  };
};
