import type { Provider } from '@tollgate/provider';

/** On every provider of this package: the providers that it ends at. `Symbol.for`, so that two copies of it agree. */
const leavesKey = Symbol.for('@tollgate/provider-routing/leaves');

/** The providers that make the wire calls: the provider itself, unless it is one of this package. */
export const leavesOf = (provider: Provider): readonly Provider[] =>
  leavesKey in provider && Array.isArray(provider[leavesKey])
    ? // Sound: only `withLeaves` writes under the key.
      (provider[leavesKey] as readonly Provider[])
    : [provider];

/** Whether the provider makes its wire calls itself. */
export const isLeaf = (provider: Provider): boolean => !(leavesKey in provider);

/** Attempts, logs and notes of files tell providers apart by name, so that no two may share one. Throws where they do. */
export const withLeaves = (provider: Provider, members: readonly Provider[]): Provider => {
  const leaves = [...new Set(members.flatMap(leavesOf))];
  const names = leaves.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two providers are called ${twice}`);
  const routed = { ...provider, [leavesKey]: leaves };
  return routed;
};
