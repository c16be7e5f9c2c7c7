import type { Hearing, HeardEvent } from './listener.ts';

/** What a host must have heard, and what it heard. */
export interface HeardFacts {
  /** Kind and operation of each event that the records stand for. */
  readonly expected: readonly string[];
  readonly heard: readonly Hearing[];
  /** Events whose worker died with them in hand. */
  readonly orphaned: readonly string[];
}

const nameOf = ({ of, requestId }: HeardEvent): string => `${of} ${requestId}`;

/** What the host has not heard. */
export const missingOf = ({ expected, heard }: Omit<HeardFacts, 'orphaned'>): readonly string[] => {
  const names = new Set(heard.map(nameOf));
  return expected.filter((name) => !names.has(name));
};

/** Events that the dead had in hand, and that did not come again so far. */
export const untakenOf = ({ heard, orphaned }: Omit<HeardFacts, 'expected'>): readonly string[] =>
  orphaned.filter((id) => heard.filter((event) => event.id === id).length < 2);

/** Events that were handed over when the storage had them no more: acknowledged before, by this worker or by another. */
export const acknowledgedOf = (heard: readonly Hearing[]): readonly Hearing[] =>
  heard.filter(({ isOnRecord }) => !isOnRecord);

/** The same event under two ids, or one id for two events. */
const confusedOf = (heard: readonly Hearing[]): readonly string[] => {
  const idsByName = Map.groupBy(
    heard.filter(({ of }) => of === 'settled' || of === 'uncertain' || of === 'anomaly'),
    nameOf,
  );
  const namesById = Map.groupBy(heard, ({ id }) => id);
  return [
    ...[...idsByName].flatMap(([name, events]) =>
      new Set(events.map(({ id }) => id)).size === 1 ? [] : [`${name} has several ids`],
    ),
    ...[...namesById].flatMap(([id, events]) =>
      new Set(events.map(nameOf)).size === 1 ? [] : [`${id} names several events`],
    ),
  ];
};

/** What is wrong with what a host heard. */
export const judgeHeard = (facts: HeardFacts): readonly string[] => {
  const { heard } = facts;
  return [
    ...missingOf(facts).map((name) => `${name} was never heard`),
    ...untakenOf(facts).map((id) => `${id} did not come again after its worker died`),
    ...acknowledgedOf(heard).map((event) => `${nameOf(event)} was handed over after it was acknowledged`),
    ...confusedOf(heard),
    ...(['low_balance', 'threshold', 'anomaly'] as const).flatMap((of) =>
      heard.some((event) => event.of === of) ? [] : [`no ${of} was heard`],
    ),
  ];
};
