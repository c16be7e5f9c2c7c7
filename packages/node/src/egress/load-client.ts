import type { Client } from 'undici';

/** Makes a client with each of its methods. */
export type CreateClient = (origin: string, options: Client.Options) => Client;

/** The methods beside `dispatch`, such as `request`, are added to a dispatcher where undici is loaded as a whole. */
const loadModules = async (): Promise<CreateClient> => {
  const [{ default: ClientOf }, { default: methods }] = await Promise.all([
    import('undici/lib/dispatcher/client.js'),
    import('undici/lib/api/index.js'),
  ]);
  return (origin, options) => Object.assign(new ClientOf(origin, options), methods);
};

/**
 * The client of undici from its own modules: Bun has a package of that name built in, whose client cannot send, and the whole
 * package takes three times as long to load. A version of undici that keeps its modules to itself is loaded as a whole.
 */
export const loadClient = async (load: () => Promise<CreateClient> = loadModules): Promise<CreateClient> => {
  try {
    return await load();
  } catch {
    const { Client: ClientOf } = await import('undici');
    return (origin, options) => new ClientOf(origin, options);
  }
};
