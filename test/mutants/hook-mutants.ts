import { engineMutant, suiteCase } from './mutant-rows.ts';
import type { Mutant } from './mutant.ts';

const ofRequests = (title: string): Mutant['test'] => suiteCase('request-hook-cases.ts', title);

/** Faults in what functions of the host hear and decide. */
export const hookMutants: readonly Mutant[] = [
  engineMutant(
    'an event is concluded before its function has taken it',
    [
      'host-events/host-event-calls.ts',
      "  let outcome: Outcome = { kind: 'taken' };\n",
      "  let outcome: Outcome = { kind: 'taken' };\n  await conclude(engine, event, outcome);\n",
    ],
    [
      'host-events/host-event-calls.test.ts',
      'come again where the process dies between the function and its note of it',
    ],
  ),
  engineMutant(
    'a claim that has run out concludes an event',
    ['decisions/conclude-host-event.ts', ' || event.owner !== claimed.owner', ''],
    ['decisions/conclude-host-event.test.ts', 'a claim that has run out concludes nothing'],
  ),
  engineMutant(
    'an outcome that stays unknown is reported again',
    ['decisions/host-event.ts', "before.state === 'uncertain' || ", ''],
    ['decisions/host-event.test.ts', 'tell that an outcome is unknown, once'],
  ),
  engineMutant(
    'a process takes as many events as there are',
    ['host-events/host-event-calls.ts', ' || running.size >= callsMax', ''],
    ['host-events/host-event-calls.test.ts', 'wait where as many functions run as a process has room for'],
  ),
  {
    name: 'a request whose hook fails goes on',
    file: 'packages/routes/src/hooks/admit-call.ts',
    search: "if (onFailure === 'refuse') throw",
    replace: "if (onFailure !== 'refuse') throw",
    test: ofRequests('refuses a request whose hook throws or takes too long'),
  },
  {
    name: 'a repeat asks the host again, and may run another model',
    file: 'packages/routes/src/hooks/admit-call.ts',
    search: 'if (known !== undefined) return',
    replace: 'if (known === null) return',
    test: ofRequests('replays what an Idempotency-Key stands for without asking the host again'),
  },
];
