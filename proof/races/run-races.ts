import type { Storage } from '@tollgate/storage';
import { checkHistory, type RecordedCall } from '@tollgate/testing/storage';
import { createGateway, silentLogger } from 'tollgate';
import { setCap } from '../model/cap-step.ts';
import { firstWrites } from '../model/access-step.ts';
import { historySeed, seededRandom } from '../model/random.ts';
import { createRecorder } from '../model/recorded-storage.ts';
import { accountOf, holdMicros, identitiesPerRound, keyOf, openStorage, sharedClock, type Round } from './race-plan.ts';
import { startRacer, type RacerProcess } from './racer-process.ts';

export interface RacesOptions {
  /** Of an empty database: an address of PostgreSQL, or a file of SQLite. */
  readonly url: string;
  readonly rounds: number;
  readonly processes: number;
  readonly seed: number;
  readonly scarce?: Round['scarce'];
}

/** What a run found. `findings` must be empty. */
export interface RacesReport {
  readonly rounds: number;
  readonly seconds: number;
  readonly calls: number;
  /** Openings by their results. */
  readonly told: Readonly<Record<string, number>>;
  /** Identities that found room in their wallet, by arithmetic; as many must have been started. */
  readonly admissible: number;
  readonly findings: readonly string[];
}

interface Tally {
  calls: number;
  admissible: number;
  readonly told: Record<string, number>;
  readonly findings: string[];
}

const capRound = async (storage: Storage, round: Round, amount: number): Promise<void> => {
  const { keys, decide } = setCap({ kind: 'cap', keyId: keyOf(round), amount, window: 'total' });
  await storage.transact(keys(), decide);
};

/** Fills a wallet, or caps the key of a full one, with room for some of the identities and less than one hold over; returns for how many. */
const prepare = async (storage: Storage, round: Round) => {
  const random = seededRandom(round.seed);
  const writes = firstWrites(round.prefix);
  const keys = writes.flatMap((write) => (write.kind === 'put' ? [{ table: write.table, id: write.record.id }] : []));
  await storage.transact(keys, () => ({ writes, answer: null }));
  const room = random.int(identitiesPerRound + 1);
  const amount = room * holdMicros + 1 + random.int(holdMicros - 1);
  const recorder = createRecorder([storage], sharedClock);
  const isCapped = round.scarce === 'cap';
  if (isCapped) await capRound(storage, round, amount);
  const deposited = isCapped ? amount + identitiesPerRound * holdMicros : amount;
  await recorder.send({ kind: 'deposit', accountId: accountOf(round), amount: deposited, reference: 'first' }, 0);
  return { room, amount, calls: recorder.calls };
};

const startedOf = (calls: readonly RecordedCall[]): readonly (string | null)[] =>
  calls.flatMap(({ call, reply }) => (call.kind === 'open' && reply.kind === 'started' ? [call.identity] : []));

const check = async (storage: Storage, round: Round, raced: readonly RecordedCall[]): Promise<readonly string[]> => {
  const accountId = accountOf(round);
  const wallet = (await storage.read([{ table: 'wallet', id: accountId }])).get('wallet', accountId);
  if (wallet === undefined) return ['the wallet is gone'];
  const { violations } = checkHistory(raced, new Map([[accountId, wallet]]));
  const started = startedOf(raced);
  return [
    ...violations.map(({ rule, detail }) => `${rule}: ${detail}`),
    ...(new Set(started).size === started.length ? [] : ['an identity was executed twice']),
    ...(wallet.reservedMicros === 0n ? [] : [`${wallet.reservedMicros} stay reserved`]),
  ];
};

/** What the cap of the round has let through otherwise than the arithmetic says; null where it is just that. */
const overspent = async (storage: Storage, round: Round, amount: number, room: number): Promise<string | null> => {
  const id = `${keyOf(round)}:total:all`;
  const record = (await storage.read([{ table: 'spend', id }])).get('spend', id);
  const [spent, held] = [record?.spentMicros ?? 0n, record?.heldMicros ?? 0n];
  if (spent === BigInt(room * holdMicros) && held === 0n && spent <= BigInt(amount)) return null;
  return `${spent} spent and ${held} held of a cap of ${amount}`;
};

const runRound = async (storage: Storage, racers: readonly RacerProcess[], round: Round, tally: Tally) => {
  const { room, amount, calls: prepared } = await prepare(storage, round);
  const raced = (await Promise.all(racers.map((racer) => racer.race(round)))).flat();
  const found = [...(await check(storage, round, [...prepared, ...raced]))];
  const admitted = startedOf(raced).length;
  if (admitted !== room)
    found.push(`${admitted} of ${identitiesPerRound} identities were admitted by ${amount} micros`);
  const passed = round.scarce === 'cap' ? await overspent(storage, round, amount, room) : null;
  if (passed !== null) found.push(passed);
  tally.calls += raced.length;
  tally.admissible += room;
  for (const { call, reply } of raced)
    if (call.kind === 'open') tally.told[reply.kind] = (tally.told[reply.kind] ?? 0) + 1;
  tally.findings.push(...found.map((finding) => `round ${round.prefix} seed ${round.seed}: ${finding}`));
};

const auditAll = async (url: string): Promise<readonly string[]> => {
  const gateway = await createGateway({
    storage: await openStorage(url, true),
    logger: silentLogger,
  });
  const { violations, busy } = await gateway.admin.audit();
  await gateway.close();
  return [...violations.map(({ rule, accountId, detail }) => `audit ${rule}: ${accountId}: ${detail}`), ...busy];
};

const findingsMax = 20;

/**
 * Lets processes ask for the same identities on one wallet near zero at the same time, round after round, and checks after
 * each: exactly as many as there is room for are executed, each once, and every answer fits the order of the wallet.
 */
export const runRaces = async ({
  url,
  rounds,
  processes,
  seed,
  scarce = 'balance',
}: RacesOptions): Promise<RacesReport> => {
  const storage = await openStorage(url, true);
  const racers = Array.from({ length: processes }, (_, name) => startRacer(url, name));
  const tally: Tally = { calls: 0, admissible: 0, told: {}, findings: [] };
  try {
    await Promise.all(racers.map((racer) => racer.ready));
    const startedMs = performance.now();
    for (let number = 0; number < rounds && tally.findings.length < findingsMax; number += 1)
      await runRound(storage, racers, { prefix: `${number}-`, seed: historySeed(seed, number), scarce }, tally);
    const seconds = (performance.now() - startedMs) / 1_000;
    return { ...tally, rounds, seconds, findings: [...tally.findings, ...(await auditAll(url))] };
  } finally {
    await Promise.all(racers.map((racer) => racer.stop()));
    await storage.close();
  }
};
