// One of the racing processes: node --conditions=@tollgate/source proof/races/racer.ts <url> <name>
import { historySeed, seededRandom, type Random } from '../model/random.ts';
import { createRecorder } from '../model/recorded-storage.ts';
import {
  accountOf,
  holdMicros,
  identitiesPerRound,
  keyOf,
  openStorage,
  otherBodyOneIn,
  repeatedOneIn,
  sharedClock,
  type RacerWord,
  type Round,
} from './race-plan.ts';

const [url = '', name = '0'] = process.argv.slice(2);

const say = (word: RacerWord): void => void process.send?.(word);
const storage = await openStorage(url, false);

interface Race {
  readonly recorder: ReturnType<typeof createRecorder>;
  readonly round: Round;
  readonly random: Random;
}

/** A request as a gateway makes it: opens, and settles what it started; now and then the answer of that was lost, too. */
const request = async ({ recorder, round, random }: Race, identity: string, number: number): Promise<void> => {
  const { prefix } = round;
  const operationId = `${prefix}${name}-${number}`;
  const slot = {
    operationId,
    projectId: `${prefix}p1`,
    keyId: keyOf(round),
    accountId: accountOf(round),
    identity,
    ...(round.scarce === 'cap' && { capped: true as const }),
  };
  const fingerprint = random.int(otherBodyOneIn) === 0 ? 'other' : 'same';
  // Not all in the same batch.
  for (let turns = random.int(4); turns > 0; turns -= 1) await new Promise(setImmediate);
  const opening = { kind: 'open', slot, fingerprint, hold: holdMicros, refused: false, owner: operationId } as const;
  if ((await recorder.send(opening, 0)).kind !== 'started') return;
  const settlement = {
    kind: 'settle',
    slot,
    measured: holdMicros,
    fraction: 0,
    answered: true,
    overrun: 'pending',
    anomalyId: `${operationId}-anomaly`,
  } as const;
  const again = random.int(repeatedOneIn) === 0 ? [settlement] : [];
  await Promise.all([settlement, ...again].map((one) => recorder.send(one, 0)));
};

const race = async (round: Round): Promise<void> => {
  const random = seededRandom(historySeed(round.seed, Number(name)));
  const recorder = createRecorder([storage], sharedClock);
  const first = Array.from({ length: identitiesPerRound }, (_, at) => `i${(at + Number(name)) % identitiesPerRound}`);
  const again = first.filter(() => random.int(repeatedOneIn) === 0);
  const one = { recorder, round, random };
  await Promise.all([...first, ...again].map((identity, number) => request(one, identity, number)));
  say({ kind: 'raced', calls: recorder.calls });
};

process.on('message', (round: Round) => {
  race(round).catch((cause: unknown) => {
    console.error(cause);
    process.exit(1);
  });
});
process.on('disconnect', () => {
  void storage.close();
});
say({ kind: 'ready' });
