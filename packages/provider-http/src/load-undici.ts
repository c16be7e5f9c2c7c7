import type { buildConnector, Pool } from 'undici';

/** What this package uses of undici. */
export interface UndiciParts {
  readonly createPool: (origin: string, options: Pool.Options) => Pool;
  readonly buildConnector: typeof buildConnector;
}

/** The methods beside `dispatch`, such as `request`, are added to a dispatcher where undici is loaded as a whole. */
const loadModules = async (): Promise<UndiciParts> => {
  const [{ default: Connections }, { default: connector }, { default: methods }] = await Promise.all([
    import('undici/lib/dispatcher/pool.js'),
    import('undici/lib/core/connect.js'),
    import('undici/lib/api/index.js'),
  ]);
  return {
    createPool: (origin, options) => Object.assign(new Connections(origin, options), methods),
    buildConnector: connector,
  };
};

/**
 * The pool and the connector of undici, from their own modules: the whole package takes three times as long to load, which is
 * 35 ms of the first call of a process. A version of undici that keeps its modules to itself is loaded as a whole.
 */
export const loadUndici = async (load: () => Promise<UndiciParts> = loadModules): Promise<UndiciParts> => {
  try {
    return await load();
  } catch {
    const { Pool: Connections, buildConnector: connector } = await import('undici');
    return { createPool: (origin, options) => new Connections(origin, options), buildConnector: connector };
  }
};
