import { equivalentsOf, type Equivalent } from './equivalent.ts';

const cron = equivalentsOf('packages/cron/src');
const routes = equivalentsOf('packages/routes/src');
const memory = equivalentsOf('packages/storage-memory/src');
const absent = 'A member that is undefined is read as one that is absent, by every provider.';

/** Mutants of other packages that are no fault. */
export const otherEquivalents: readonly Equivalent[] = [
  cron(
    'next-run.ts',
    'afterGap',
    'localMs >= gapFrom && localMs < gapTo → localMs < gapTo',
    'Clocks show every local time before the gap, so that it is not asked what comes after its gap.',
  ),
  cron(
    'next-run.ts',
    'firstOfDay',
    'best !== null && stretches.length === 1 → false',
    'Goes on through later times of the day, none of which is earlier.',
  ),
  cron('time-zone.ts', 'findChange', '1_000 → (1_000 + 1)', 'Both ends are whole seconds.'),
  cron(
    'time-zone.ts',
    'stretchesOf',
    'nextOffset === offsetMs → false',
    'Cuts a stretch into two with the same offset, which show the same times.',
  ),
  routes('embeddings/to-embedding-call.ts', 'toEmbeddingCall', 'request.task_type === undefined → false', absent),
  routes('embeddings/to-embedding-call.ts', 'toEmbeddingCall', 'request.user === undefined → false', absent),
  memory(
    'memory-storage.ts',
    'look',
    'key.fresh === true && trustFresh → false',
    'A record that is said to be new is looked for all the same.',
  ),
];
