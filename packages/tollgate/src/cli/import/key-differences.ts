import { creditsFromMicros, type KeyInfo, type KeyTerms } from '@tollgate/engine';

type Terms = Pick<KeyTerms, 'cap' | 'models' | 'expiresAtMs' | 'limits'>;

const none = 'none';

const limitNames = ['requestsPerMinute', 'tokensPerMinute', 'concurrentRequests'] as const;

const capText = (cap: Terms['cap']): string =>
  cap === null || cap === undefined
    ? none
    : `${creditsFromMicros(cap.amountMicros)}/${cap.window}@${cap.timeZone ?? 'UTC'}`;

const textsOf = ({ cap, models, expiresAtMs, limits }: Terms): readonly (readonly [string, string])[] => [
  ['cap', capText(cap)],
  ['models', models === null || models === undefined ? none : models.toSorted().join(' ')],
  ['expires', expiresAtMs === null || expiresAtMs === undefined ? none : new Date(expiresAtMs).toISOString()],
  ...limitNames.map((name) => [name, String(limits?.[name] ?? none)] as const),
];

/** Where the terms of a key that was there are not those of the file. A revoked key opens nothing: its terms do not count. */
export const keyDifferences = (kept: KeyInfo, asked: Terms): readonly string[] => {
  const here = new Map(textsOf(kept));
  return kept.status === 'revoked'
    ? []
    : textsOf(asked).flatMap(([name, text]) =>
        here.get(name) === text ? [] : [`${name} is ${here.get(name)} here and ${text} in the file`],
      );
};
