import cluster, { type Worker } from 'node:cluster';
import { callable, checkConfiguration, optionsCheck, required, timerMs, whole } from '@tollgate/contract/configuration';
import { listenChecks, serve, type RunningServer, type Servable, type ServeOptions } from './serve.ts';
import { createMembers, describeExit, type Members, type ProcessDeath } from './process-members.ts';

export interface ServeProcessesOptions extends Omit<ServeOptions, 'sweeps'> {
  /** How many processes serve, 1 to 256. */
  readonly processes: number;
  /** How long the first process that is started again is waited for; every further early death doubles it, up to a minute. */
  readonly restartMs?: number | undefined;
  /** Is shown each death of a process that was not asked to end. By default standard error gets a line. */
  readonly onDeath?: ((death: ProcessDeath) => void) | undefined;
}

/** What this process is: the one that the host started, or one of those that serve. */
export type ServingProcesses =
  | {
      readonly kind: 'primary';
      /** `http://host:port`, without the base path. */
      readonly origin: string;
      /** Ids of the processes that serve now. */
      pids(): readonly number[];
      /** Has every process close as `serve` does, and resolves when all have ended. */
      close(): Promise<void>;
    }
  | { readonly kind: 'member'; readonly member: number; readonly origin: string };

/** Processes of one server at the most. */
export const processesMax = 256;
const defaultRestartMs = 1_000;
/** Which member a process is, in its environment. */
const memberVariable = 'TOLLGATE_MEMBER';

const processesCheck = optionsCheck<ServeProcessesOptions>({
  ...listenChecks,
  processes: required(whole({ min: 1, max: processesMax })),
  restartMs: timerMs(),
  onDeath: callable(),
});

const printDeath = ({ member, pid, restartInMs, ...exit }: ProcessDeath): void =>
  console.error(`process ${member} (${pid}) ended with ${describeExit(exit)}; another one starts in ${restartInMs} ms`);

/** Closes this process once, however often it is asked to, and also where it is asked while its gateway is being opened. */
const createEnding = () => {
  let running: RunningServer | null = null;
  let isAsked = false;
  const end = (): void => {
    isAsked = true;
    running?.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  // A terminal signals every process of a group, so that a second signal is no impatience here. Where the primary died, its port is gone.
  process.on('SIGTERM', end).on('SIGINT', end).on('message', end).once('disconnect', end);
  return {
    began: (server: RunningServer): void => {
      running = server;
      if (isAsked) end();
    },
  };
};

/** One of the processes that serve. The first one also sweeps; the others what they are notified of, and else rarely. */
const serveMember = async (
  open: () => Servable | Promise<Servable>,
  { processes: _processes, restartMs: _restartMs, onDeath: _onDeath, ...options }: ServeProcessesOptions,
): Promise<ServingProcesses> => {
  const ending = createEnding();
  const member = Number(process.env[memberVariable] ?? 1);
  const running = await serve(await open(), { ...options, sweeps: member === 1 ? 'regularly' : 'when_notified' });
  ending.began(running);
  return { kind: 'member', member, origin: running.origin };
};

const fork = (member: number): Worker => cluster.fork({ [memberVariable]: String(member) });

/** Ends the primary once every member has closed; a second signal ends all of them at once. */
const closeMembersOnSignal = (members: Members): void => {
  let closing = false;
  const onSignal = (): void => {
    if (closing) {
      members.kill();
      process.exit(1);
    }
    closing = true;
    void members.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
};

const startMembers = async ({
  processes,
  restartMs = defaultRestartMs,
  onDeath = printDeath,
}: ServeProcessesOptions): Promise<ServingProcesses> => {
  const members = createMembers({ count: processes, restartMs, fork, onDeath });
  closeMembersOnSignal(members);
  const origin = await members.listening();
  return { kind: 'primary', origin, pids: () => members.pids(), close: () => members.close() };
};

/**
 * Serves with several processes on one port of this machine, by `node:cluster`: the same program runs in each of them, and opens a
 * gateway of its own on the same storage, a file of SQLite or a database. The first process sweeps; all renew the leases of their own
 * operations. A process that dies is started again. Rejects where the first start of a process fails. What the program does after
 * this call it does in each process: see `kind` of the result. Ends every process on SIGTERM and SIGINT.
 */
export const serveProcesses = async (
  open: () => Servable | Promise<Servable>,
  options: ServeProcessesOptions,
): Promise<ServingProcesses> => {
  checkConfiguration('serveProcesses', processesCheck, options);
  return cluster.isPrimary ? startMembers(options) : serveMember(open, options);
};
