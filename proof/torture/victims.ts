import { setTimeout as delay } from 'node:timers/promises';
import type { Facts } from './ledger-of-facts.ts';
import type { Random } from './random.ts';
import { createVictimProcess, type VictimProcess } from './victim-process.ts';
import type { VictimRole, VictimSetup } from './victim-setup.ts';

interface Seat {
  readonly role: VictimRole;
  victim: VictimProcess;
  /** Set while it listens. */
  origin: string | null;
}

/** The processes under attack: so many at once, each replaced when it is killed. */
export interface Victims {
  /** The origin of one that listens. */
  origin(): string | null;
  deposit(accountId: string, amountMicros: bigint, reference: string): void;
  /** Kills one, or sometimes all, and starts as many; returns how many were killed of each kind. */
  killSome(): Promise<Readonly<Record<VictimRole, number>>>;
  /** Kills the one of a process id, and starts another; null where it is not among them. */
  killOne(pid: number): Promise<VictimRole | null>;
  /** Kills all without a replacement. */
  end(): Promise<void>;
}

export interface VictimsOptions {
  readonly setup: VictimSetup;
  readonly gateways: number;
  readonly workers: number;
  readonly facts: Pick<Facts, 'deposits' | 'violations'>;
  readonly random: Random;
  /** Of any process, how long it made nothing durable. */
  readonly onSilence?: (ms: number) => void;
  /** Called just before a kill; what it answers is called when the process has gone, before it is replaced. */
  readonly onKill?: (doomed: { readonly pid: number; readonly origin: string | null }) => () => Promise<void>;
}

/** Some are killed while they open the database. */
const earlyDeathShare = 0.1;
const earlyDeathMsMax = 40;
const killAllShare = 0.2;

const listenOn = async (into: Seat, victim: VictimProcess): Promise<void> => {
  const origin = await victim.start(into.role);
  if (into.victim === victim) into.origin = origin;
};

const countRoles = (seats: readonly Seat[]): Readonly<Record<VictimRole, number>> => {
  const count = (role: VictimRole): number => seats.filter((each) => each.role === role).length;
  return { gateway: count('gateway'), worker: count('worker') };
};

const createSeats = (
  { gateways, workers }: Pick<VictimsOptions, 'gateways' | 'workers'>,
  victim: VictimProcess,
): readonly Seat[] =>
  Array.from({ length: gateways + workers }, (_, at) => ({
    role: at < gateways ? 'gateway' : 'worker',
    victim,
    origin: null,
  }));

/** Starts the processes and waits until all of them listen. */
export const startVictims = async (options: VictimsOptions): Promise<Victims> => {
  const { setup, facts, random, onKill, onSilence } = options;
  const asked = new Map<string, { readonly accountId: string; readonly amountMicros: bigint }>();
  const create = (): VictimProcess =>
    createVictimProcess(setup, {
      onDeposited: (reference) => {
        const deposit = asked.get(reference);
        if (deposit !== undefined) facts.deposits.set(reference, deposit);
      },
      ...(onSilence === undefined ? {} : { onSilence }),
      onDeath: (why) => void facts.violations.push(`a process ended by itself, ${why}`),
    });
  let spare = create();
  const seat = async (into: Seat): Promise<void> => {
    const victim = spare;
    spare = create();
    into.victim = victim;
    await victim.loaded;
    const listening = listenOn(into, victim);
    await (random.chance(earlyDeathShare) ? delay(random.below(earlyDeathMsMax)) : listening);
  };
  const seats = createSeats(options, spare);
  for (const each of seats) await seat(each);
  const listening = (): readonly Seat[] => seats.filter((each) => each.origin !== null);
  const end = async (each: Seat): Promise<void> => {
    const onGone = onKill?.({ pid: each.victim.pid, origin: each.origin });
    each.origin = null;
    await each.victim.kill();
    await onGone?.();
  };
  const kill = async (each: Seat): Promise<void> => {
    await end(each);
    await seat(each);
  };
  return {
    origin: () => {
      const up = listening();
      return up[random.below(up.length)]?.origin ?? null;
    },
    deposit: (accountId, amountMicros, reference) => {
      const up = listening();
      asked.set(reference, { accountId, amountMicros });
      up[random.below(up.length)]?.victim.order({
        kind: 'deposit',
        accountId,
        amountMicros: String(amountMicros),
        reference,
      });
    },
    killSome: async () => {
      const one = seats[random.below(seats.length)];
      const doomed = one === undefined || random.chance(killAllShare) ? seats : [one];
      await Promise.all(doomed.map(kill));
      return countRoles(doomed);
    },
    killOne: async (pid) => {
      const one = seats.find(({ victim }) => victim.pid === pid);
      if (one === undefined) return null;
      await kill(one);
      return one.role;
    },
    end: async () => {
      await Promise.all([...seats.map(end), spare.kill()]);
    },
  };
};
