import { faultKinds, type EnumeratedFault } from './enumerated-fault.ts';
import { createLockstep } from './lockstep.ts';
import { answers, holdTokens, meter, type ProviderScript } from './provider-script.ts';
import { clientKinds, runCase, type CaseInput } from './run-case.ts';
import { shippingEngine, type Subject } from './subject.ts';
import type { WorldSetup } from './world.ts';

interface Scenario {
  readonly name: string;
  readonly script: ProviderScript;
  readonly initialMicros: bigint;
  /** Whether every pair of faults is lived, too. */
  readonly pairs: boolean;
}

const measured = (tokens: number): ProviderScript => answers(meter(tokens), tokens);
const ample = 1_000n;
const tight = BigInt(holdTokens);

const scenarios: readonly Scenario[] = [
  { name: 'answers below the hold', script: measured(5), initialMicros: ample, pairs: true },
  {
    name: 'is certainly not executed',
    script: { kind: 'not_executed', ran: false, reason: 'unavailable' },
    initialMicros: ample,
    pairs: true,
  },
  {
    name: 'costs more than the hold, and the balance covers it',
    script: measured(holdTokens + 3),
    initialMicros: ample,
    pairs: false,
  },
  { name: 'costs more than there is', script: measured(holdTokens + 3), initialMicros: tight, pairs: true },
  { name: 'costs nothing', script: measured(0), initialMicros: tight, pairs: false },
  { name: 'breaks off after it ran', script: { kind: 'unknown', ran: true }, initialMicros: ample, pairs: false },
  { name: 'breaks off before it ran', script: { kind: 'unknown', ran: false }, initialMicros: ample, pairs: false },
  { name: 'answers without usage', script: answers([], null), initialMicros: ample, pairs: false },
  { name: 'answers what cannot be read', script: answers(meter(5), null, true), initialMicros: ample, pairs: false },
  { name: 'is asked by an account without credits', script: measured(5), initialMicros: tight - 1n, pairs: true },
];

export const moneyKinds: readonly Pick<WorldSetup, 'ledger' | 'identities'>[] = [
  { ledger: 'wallet', identities: 'built_in' },
  { ledger: 'host', identities: 'built_in' },
  { ledger: 'wallet', identities: 'host' },
  { ledger: 'host', identities: 'host' },
];

export interface EnumerationReport {
  readonly cases: number;
  /** Cases by the number of faults in them. */
  readonly byFaults: readonly number[];
  readonly broken: readonly string[];
}

const brokenKeptMax = 20;
const sideBySide = 64;

interface Tally {
  cases: number;
  readonly byFaults: number[];
  readonly broken: string[];
}

const describe = (input: CaseInput, name: string): string => {
  const faults = input.faults.map(({ at, kind }) => `${kind} at ${at}`).join(', ');
  const { ledger, identities } = input.setup;
  return `${ledger} ledger, ${identities} identities: the provider ${name}; the client ${input.client}; ${faults}`;
};

/** Lives a case, and every case that follows from it by one more fault at a later await. */
const explore = async (tally: Tally, input: CaseInput, name: string, depth: number): Promise<void> => {
  const { awaits, breaches } = await runCase(input);
  tally.cases += 1;
  tally.byFaults[input.faults.length] = (tally.byFaults[input.faults.length] ?? 0) + 1;
  for (const { rule, detail } of breaches)
    if (tally.broken.length < brokenKeptMax) tally.broken.push(`${describe(input, name)}: ${rule}: ${detail}`);
  if (depth === 0) return;
  const from = (input.faults.at(-1)?.at ?? -1) + 1;
  const later: EnumeratedFault[] = [];
  for (let at = from; at < awaits; at += 1) for (const kind of faultKinds) later.push({ at, kind });
  for (let begun = 0; begun < later.length; begun += sideBySide)
    await Promise.all(
      later
        .slice(begun, begun + sideBySide)
        .map((fault) => explore(tally, { ...input, faults: [...input.faults, fault] }, name, depth - 1)),
    );
};

/**
 * Every await of the life of a chat operation, with every fault, alone and for some scenarios in every pair, for every way of
 * keeping money and identities and every manner of client.
 */
export const enumerate = async (
  operationLedger: Pick<WorldSetup, 'ledger' | 'identities'>,
  subject: Subject = shippingEngine,
): Promise<EnumerationReport> => {
  const tally: Tally = { cases: 0, byFaults: [], broken: [] };
  const lockstep = createLockstep();
  for (const { name, script, initialMicros, pairs } of scenarios)
    for (const client of clientKinds) {
      const setup = {
        ...operationLedger,
        overrun: 'pending',
        weather: 'storm',
        faultPercent: 0,
        initialMicros,
      } as const;
      const depth = pairs && client === 'retries with its identity elsewhere' ? 2 : 1;
      await explore(tally, { setup, script, client, faults: [], subject, lockstep }, name, depth);
    }
  return tally;
};
