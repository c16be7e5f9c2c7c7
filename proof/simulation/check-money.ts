import { audit } from '../../packages/engine/src/ledger/audit.ts';
import type { FinalFacts } from './final-facts.ts';
import { report } from './stage.ts';
import { accountId, type World } from './world.ts';

/** What of a world is about money. */
export type MoneyWorld = Pick<World, 'lives' | 'storage' | 'ledger' | 'deposits' | 'registeredBy' | 'breaches'>;

type MoneyFacts = Pick<FinalFacts, 'operations' | 'entries'>;

const checkAudit = async (world: MoneyWorld): Promise<void> => {
  const [life] = world.lives;
  if (life === undefined) throw new Error('a world has lives');
  const { violations, busy } = await audit({ ...life.engine, storage: world.storage });
  for (const { rule, detail } of violations) report(world, 'audit_clean', `${rule}: ${detail}`);
  if (busy.length > 0) report(world, 'audit_clean', 'a wallet changes though nobody works');
};

const checkEntries = (world: MoneyWorld, { entries }: MoneyFacts): void => {
  const seen = new Set<string>();
  let walletSeq = 0;
  for (const entry of entries) {
    if (entry.walletSeq <= walletSeq) report(world, 'entries_follow_the_wallet', `entry ${entry.seq}`);
    walletSeq = entry.walletSeq;
    if (entry.kind !== 'deposit') continue;
    const issued = world.deposits.get(entry.reference ?? '');
    if (issued?.amountMicros !== entry.amountMicros || seen.has(entry.reference ?? ''))
      report(world, 'deposits_once', `${entry.reference ?? 'no reference'} of ${entry.amountMicros}`);
    seen.add(entry.reference ?? '');
  }
  for (const [reference, { acknowledged }] of world.deposits)
    if (acknowledged && !seen.has(reference))
      report(world, 'deposits_once', `${reference} was acknowledged and is lost`);
};

const checkHostOperation = (world: MoneyWorld, { operations }: MoneyFacts, id: string): bigint => {
  const kept = world.ledger?.operation(id);
  const operation = operations.get(id);
  if (kept === undefined || kept.state === 'released') {
    if (operation?.state === 'completed') report(world, 'host_ledger_agrees', `${id} is completed and not debited`);
    return 0n;
  }
  if (kept.state === 'held') {
    if (operation?.state !== 'uncertain') report(world, 'host_ledger_agrees', `${id} is held for nothing`);
    return kept.holdMicros;
  }
  if (operation?.state !== 'completed' || operation.chargedMicros !== kept.chargedMicros)
    report(world, 'host_ledger_agrees', `${id} was debited ${kept.chargedMicros}, on record as ${operation?.state}`);
  return 0n;
};

const checkHostLedger = (world: MoneyWorld, facts: MoneyFacts): void => {
  if (world.ledger === null) return;
  let held = 0n;
  for (const id of world.registeredBy.keys()) held += checkHostOperation(world, facts, id);
  const { reservedMicros } = world.ledger.wallet(accountId);
  if (held !== reservedMicros) report(world, 'host_ledger_agrees', `${reservedMicros} reserved, ${held} accounted for`);
};

/** What must hold of sums and entries. */
export const checkMoney = async (world: MoneyWorld, facts: MoneyFacts): Promise<void> => {
  await checkAudit(world);
  if (world.ledger === null) checkEntries(world, facts);
  else checkHostLedger(world, facts);
};
