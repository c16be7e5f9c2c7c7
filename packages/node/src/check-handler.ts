import { cameIn, ConfigurationError, faultAt } from '@tollgate/contract/configuration';

/**
 * Refuses what is no function when it is mounted: a request could only be dropped. The usual cause is a gateway that was not
 * awaited, because a promise has no `handle`.
 */
export const checkHandler = (factory: string, name: string, handler: unknown): void => {
  if (typeof handler === 'function') return;
  const came = handler === undefined ? 'is missing' : cameIn(handler);
  throw new ConfigurationError(factory, faultAt(name, came, 'is a function; await createGateway before you mount it'));
};
