import { splitHosts } from './host-list.ts';
import { choosePrimary, judgeServer, oldPrimary, type ServerDemands } from './judge-server.ts';
import type { OpenedClient } from './line.ts';
import { openClient, type PostgresSource } from './open-client.ts';
import { askServer, type ClusterPlace, type FactsWanted, type ServerFacts } from './server-facts.ts';

/** A connection to a server that was found fit. */
export interface OpenedServer extends OpenedClient {
  readonly facts: ServerFacts;
}

/** How connections of one storage are made. */
export interface ServerDial {
  /** A connection to the primary. Rejects where none can be made, and with `UnsafeServerError` where it must not be used. */
  open(): Promise<OpenedServer>;
  /** Whether a later primary was found since: the server of this connection is one that a fail-over left behind. */
  isLeftBehind(facts: ServerFacts): boolean;
}

export interface DialOptions {
  readonly connectTimeoutMs: number;
  readonly demands: ServerDemands;
}

/** How long the other hosts may take once one has answered as a primary: a frozen one must not hold up a fail-over. */
const otherHostsMs = 1_000;

const openAndAsk = async (
  source: PostgresSource,
  connectTimeoutMs: number,
  wanted: FactsWanted,
): Promise<OpenedServer> => {
  const opened = await openClient(source, connectTimeoutMs);
  try {
    return { ...opened, facts: await askServer(opened.client, wanted, connectTimeoutMs) };
  } catch (cause) {
    opened.discard();
    throw cause;
  }
};

/** The servers that answered: all that do, or those who did within a moment after the first primary. */
const answersOf = async (attempts: readonly Promise<OpenedServer>[]): Promise<readonly OpenedServer[]> => {
  const answered: OpenedServer[] = [];
  const enough = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const take = (opened: OpenedServer): void => {
    if (isOver) {
      opened.discard();
      return;
    }
    answered.push(opened);
    if (!opened.facts.isInRecovery) timer ??= setTimeout(enough.resolve, otherHostsMs);
  };
  const all = Promise.allSettled(attempts.map(async (attempt) => take(await attempt)));
  await Promise.race([all, enough.promise]);
  clearTimeout(timer);
  isOver = true;
  return answered;
};

const openPrimary = async (
  attempts: readonly Promise<OpenedServer>[],
  seen: ClusterPlace | null,
): Promise<OpenedServer> => {
  const answered = await answersOf(attempts);
  // No host answered: the error of one is as good as any.
  if (answered.length === 0) return Promise.race(attempts);
  let chosen: OpenedServer | undefined;
  try {
    chosen = choosePrimary(answered, seen);
    return chosen;
  } finally {
    for (const server of answered) if (server !== chosen) server.discard();
  }
};

export const createServerDial = (source: PostgresSource, { connectTimeoutMs, demands }: DialOptions): ServerDial => {
  const sources: readonly PostgresSource[] =
    source.pool === undefined
      ? splitHosts(source.connectionString).map((connectionString) => ({ connectionString }))
      : [source];
  const isList = sources.length > 1;
  const wanted: FactsWanted = { standbys: demands.requireStandby, place: isList };
  let seen: ClusterPlace | null = null;
  const isLeftBehind = ({ place }: ServerFacts): boolean =>
    place !== null && seen !== null && place.timeline < seen.timeline;
  return {
    open: async () => {
      const attempts = sources.map((one) => openAndAsk(one, connectTimeoutMs, wanted));
      const [only] = attempts;
      const opened = isList || only === undefined ? await openPrimary(attempts, seen) : await only;
      // Another connection may have found a later primary meanwhile.
      const fault = isLeftBehind(opened.facts) ? oldPrimary(opened.facts, seen) : judgeServer(opened.facts, demands);
      if (fault !== null) {
        opened.discard();
        throw fault;
      }
      seen = opened.facts.place ?? seen;
      return opened;
    },
    isLeftBehind,
  };
};
