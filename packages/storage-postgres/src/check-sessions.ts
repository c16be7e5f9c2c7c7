import { UnsafeServerError } from './judge-server.ts';
import type { Line } from './line.ts';
import { plainStatement } from './statement.ts';

const whoServes = plainStatement('SELECT pg_backend_pid()');

/**
 * Refuses a pooler that hands its connections around between transactions. One after another, so that an idle pooler of that
 * kind serves each of these connections by the same one of its own; in session mode each has its own. That all differ proves
 * nothing under load.
 */
export const checkSessions = async (lines: readonly Line[]): Promise<void> => {
  const served = new Set<string>();
  for (const line of lines) {
    const [result] = await line.run([whoServes]);
    served.add(String(result?.rows[0]?.[0]));
  }
  if (served.size === lines.length) return;
  throw new UnsafeServerError(
    'pooler',
    `the pooler serves ${lines.length} connections that are open at once by ${served.size} processes of the server: it is not in session mode. Say so with pooler: 'transaction', change its mode, or connect directly`,
  );
};
