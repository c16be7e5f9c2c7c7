import { sandboxProvider } from 'tollgate';
import type { Environment } from './environment.ts';

/** The offline model: it needs no network and no key, and reports usage as a real one does. */
export const openProvider = (_environment: Environment) => sandboxProvider();
