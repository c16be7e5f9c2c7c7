import { equivalentsOf, type Equivalent } from './equivalent.ts';

const row = equivalentsOf('packages/engine/src/decisions');
const readsMore = 'Only declares a record that no write of this step looks at: what it stores stays the same.';
const signOnly = 'A comparison of a sort is asked for its sign alone.';

/** Mutants of decisions that are no fault. */
export const decisionEquivalents: readonly Equivalent[] = [
  row('host-moves.ts', 'moveKeys', 'counts(command) → true', readsMore),
  row('purge.ts', 'purgeKeys', 'isKeepingKind(operation.kind) → true', readsMore),
  row('unregister.ts', 'unregisterKeys', 'isResourceKind(operation.kind) → true', readsMore),
  row(
    'live-access.ts',
    'decide',
    "session.openedAtMs !== null && operation.state === 'processing' → operation.state === 'processing'",
    'A session runs only from the step that opens it, so that one which runs has been opened.',
  ),
  row('live-hold.ts', 'larger', 'one > other → one >= other', 'Of two equal amounts either one is the larger.'),
  row(
    'propose-verdict.ts',
    'proposeVerdict',
    'parts.length === 0 → false',
    'Without parts no id is found either, which gives the same answer a few lines later.',
  ),
  row(
    'purge.ts',
    'itemWrites',
    "records.get('batchItem', id) === undefined → false",
    'Deletes an item that is not there, which changes nothing.',
  ),
  row(
    'undelivered.ts',
    'kept',
    "records.get('undelivered', id) === undefined → false",
    'Deletes a record that is not there, which changes nothing.',
  ),
  row('quotas.ts', 'usageWrites', '1 → (1 + 1)', 'A revision is compared for being the same and nothing else.'),
  row(
    'spend-window.ts',
    'remember',
    'remembered.size >= rememberedMax → remembered.size > rememberedMax',
    'What is remembered is computed again when it is forgotten: the bound is one of memory.',
  ),
  row(
    'start-work.ts',
    'decide',
    'operation === undefined || operation.endedAtMs !== null || !ours → !ours',
    'An operation that is not there has no owner, and one that has ended is in a state which is lost below.',
  ),
  row('top-up.ts', 'newTopUp', '0 → (0 + 1) (4)', 'A millisecond after the beginning of time is past as well.'),
  row('verdict.ts', 'judgeParts', '1 → (1 + 1)', signOnly),
  row('verdict.ts', 'judgeParts', '1 → (1 + 1) (2)', signOnly),
  row(
    'verdict.ts',
    'isSameVerdict',
    'left.part < right.part → left.part <= right.part',
    'No two parts of a verdict have the same name.',
  ),
  row(
    'host-moves.ts',
    'beginSettling',
    'refused || operation.pendingMicros === null → refused',
    'A verdict is of an uncertain operation, of which nothing pending and nothing refused are the same.',
  ),
];
