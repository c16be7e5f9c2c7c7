import { setTimeout as delay } from 'node:timers/promises';
import type { Facts } from './ledger-of-facts.ts';
import type { Random } from './random.ts';
import { createVictimProcess, type VictimProcess } from './victim-process.ts';
import type { VictimSetup } from './victim-setup.ts';

interface Seat {
  victim: VictimProcess;
  /** Set while it listens. */
  origin: string | null;
}

/** The processes under attack: so many at once, each replaced when it is killed. */
export interface Victims {
  /** The origin of one that listens. */
  origin(): string | null;
  deposit(accountId: string, amountMicros: bigint, reference: string): void;
  /** Kills one, or sometimes all, at a random moment, and starts as many; answers how many were killed. */
  killSome(): Promise<number>;
  /** Kills all without a replacement. */
  end(): Promise<void>;
}

export interface VictimsOptions {
  readonly setup: VictimSetup;
  readonly processes: number;
  readonly facts: Facts;
  readonly random: Random;
}

const lifeMsMax = 600;
/** Some are killed while they open the database. */
const earlyDeathShare = 0.1;
const earlyDeathMsMax = 40;
const killAllShare = 0.2;

const listenOn = async (into: Seat, victim: VictimProcess): Promise<void> => {
  const origin = await victim.start();
  if (into.victim === victim) into.origin = origin;
};

/** Starts the processes and waits until all of them listen. */
export const startVictims = async ({ setup, processes, facts, random }: VictimsOptions): Promise<Victims> => {
  const asked = new Map<string, { readonly accountId: string; readonly amountMicros: bigint }>();
  const create = (): VictimProcess =>
    createVictimProcess(setup, {
      onDeposited: (reference) => {
        const deposit = asked.get(reference);
        if (deposit !== undefined) facts.deposits.set(reference, deposit);
      },
      onDeath: (why) => void facts.violations.push(`a gateway ended by itself, ${why}`),
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
  const seats: Seat[] = Array.from({ length: processes }, () => ({ victim: spare, origin: null }));
  for (const each of seats) await seat(each);
  const listening = (): readonly Seat[] => seats.filter((each) => each.origin !== null);
  const kill = async (each: Seat): Promise<void> => {
    each.origin = null;
    await each.victim.kill();
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
      await delay(random.below(lifeMsMax));
      const one = seats[random.below(seats.length)];
      const doomed = one === undefined || random.chance(killAllShare) ? seats : [one];
      await Promise.all(doomed.map(kill));
      return doomed.length;
    },
    end: async () => {
      await Promise.all([...seats.map((each) => each.victim.kill()), spare.kill()]);
    },
  };
};
