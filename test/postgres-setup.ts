import { keepForRun } from './postgres-server.ts';

/** Runs before any test file; what it answers runs after the last. The server itself starts only if a test asks for it. */
export const setup = keepForRun;
