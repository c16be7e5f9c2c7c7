import type { RunReport } from './run-histories.ts';

/** One line a broken rule, with the seed that lives the history again. */
export const describeBreaches = ({ broken }: RunReport): readonly string[] =>
  broken.flatMap(({ seed, setup, breaches }) =>
    breaches.map(
      ({ rule, detail }) =>
        `seed ${seed} (${setup.weather}, ${setup.ledger} ledger, ${setup.identities} identities): ${rule}: ${detail}`,
    ),
  );
