import type { WorkKind } from './work-kind.ts';

/** The resource types that a gateway works on, each by its name. Made once, before anything that uses it. */
export type ResourceKinds = ReadonlyMap<string, WorkKind>;

/** Throws where two kinds have one name. */
export const resourceKinds = (kinds: readonly WorkKind[]): ResourceKinds => {
  const byName = new Map<string, WorkKind>();
  for (const kind of kinds) {
    if (byName.has(kind.kind)) throw new TypeError(`the kind ${kind.kind} is registered twice`);
    byName.set(kind.kind, kind);
  }
  return byName;
};
