import { checkOf, faultAt, memberPlace, text, type OptionCheck } from '@tollgate/contract/configuration';
import type { Provider } from './provider.ts';

/** What a provider can do, of which it has one at the least: each method and member of the type, or this does not compile. */
const capabilities = {
  generate: 'function',
  generateStream: 'function',
  embed: 'function',
  moderate: 'function',
  countTokens: 'function',
  files: 'object',
  videos: 'object',
  batches: 'object',
  caches: 'object',
  stores: 'object',
  interactions: 'object',
  live: 'object',
  takesInteraction: 'function',
  runsTool: 'function',
  takesServiceTier: 'function',
  close: 'function',
} as const satisfies Readonly<Record<Exclude<keyof Provider, 'name'>, 'function' | 'object'>>;

const accepted =
  'is a provider, such as sandboxProvider() returns: an object with a name and the methods of what it can do';

/** A provider by its members; a host's own may have others beside them. */
export const providerCheck: OptionCheck<Provider> = checkOf((value, place) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return faultAt(
      place,
      value === null || value === undefined ? 'is missing' : `is of the type ${typeof value}`,
      accepted,
    );
  if (value instanceof Promise) return faultAt(place, 'is a promise; await it', accepted);
  const members = Object.entries(capabilities).flatMap(([name, kind]) => {
    const member: unknown = Reflect.get(value, name);
    const isSound = member === undefined || (typeof member === kind && member !== null);
    return isSound
      ? []
      : faultAt(memberPlace(place, name), `is of the type ${typeof member}`, `is of the type ${kind}`);
  });
  return [...text().faultsOf(Reflect.get(value, 'name'), memberPlace(place, 'name')), ...members];
});
