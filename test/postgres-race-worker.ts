// One of several processes on one database. It opens operations of one account, some of them under identities that the other
// processes use too, settles those that it started, and prints what it was told, one line a request.
import {
  decideOpen,
  decideSettle,
  openKeys,
  settleKeys,
  type OpenAnswer,
  type OpenCommand,
} from '@tollgate/engine/decisions';
import type { Storage } from '@tollgate/storage';
import { postgresStorage } from '@tollgate/storage-postgres';

const [url = '', process_ = '', accountId = '', rounds = '0', holdMicros = '0'] = process.argv.slice(2);

const command = (round: number, identity: string): OpenCommand => ({
  keyId: `k-${accountId}`,
  projectId: `p-${accountId}`,
  accountId,
  operationId: `${process_}-${round}-${identity}`,
  kind: 'chat',
  model: 'model',
  identity,
  claimsIdentity: true,
  fingerprint: identity,
  holdMicros: BigInt(holdMicros),
  tariffVersion: 'race',
  answerForm: 'json',
  refusal: null,
  owner: process_,
  leaseMs: 600_000,
  repeated: false,
});

const request = async (storage: Storage, open: OpenCommand): Promise<OpenAnswer> => {
  const answer = await storage.transact(openKeys(open), decideOpen(open));
  if (answer.kind !== 'started') return answer;
  const settle = {
    operationId: open.operationId,
    accountId,
    measuredMicros: open.holdMicros,
    evidence: null,
    overrun: 'pending' as const,
    retryMs: 60_000,
    answerKeptMs: 60_000,
    anomalyId: `${open.operationId}-anomaly`,
  };
  const settled = await storage.transact(settleKeys(settle), decideSettle(settle));
  if (settled.kind !== 'settled') throw new Error(`not settled: ${settled.kind}`);
  return answer;
};

const run = async (): Promise<void> => {
  const storage = await postgresStorage({ connectionString: url, migrate: false });
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.pause();
  for (let round = 0; round < Number(rounds); round += 1) {
    // Eight at once, one of them twice: the same identities in every process.
    const identities = [...Array.from({ length: 8 }, (_, at) => `i${round}-${at}`), `i${round}-0`];
    await Promise.all(
      identities.map(async (identity, at) => {
        const open = command(round, identity);
        const answer = await request(storage, at === 8 ? { ...open, operationId: `${open.operationId}-again` } : open);
        const told = answer.kind === 'known' || answer.kind === 'conflict' ? answer.operationId : answer.kind;
        process.stdout.write(`${JSON.stringify({ identity, kind: answer.kind, told })}\n`);
      }),
    );
  }
  await storage.close();
};

await run();
