import { equivalentsOf, type Equivalent } from './equivalent.ts';

const row = equivalentsOf('packages/engine/src');
const larger = 'Of two equal amounts either one is the larger.';

/** Mutants of the engine that are no fault, but for those of its decisions. */
export const engineEquivalents: readonly Equivalent[] = [
  row('ledger/hold.ts', 'highestPriceOf', 'picos > highest → picos >= highest', larger),
  row('ledger/price-usage.ts', 'chargeOfPicos', 'withFee > minimumPicos → withFee >= minimumPicos', larger),
  row(
    'ledger/own-input.ts',
    'imageOf',
    "part.mimeType.startsWith('image/') → true",
    'A call with any other medium is unbounded, and its parts are not counted.',
  ),
  row(
    'ledger/external-ledger.ts',
    'isWithinCaps',
    'spends === null → false',
    'Reads the operation, which no cap counts, and finds that it is covered.',
  ),
  row(
    'operations/uses-under-way.ts',
    'isUnderWay',
    'last === undefined || uses.length < listRowsMax → last === undefined',
    'Reads one page more, which is empty.',
  ),
  row(
    'workers/with-deadline.ts',
    'microtasks',
    'turn < graceTurns → turn <= graceTurns',
    'A provider that needs more turns than it ever does has one more.',
  ),
  row(
    'workers/with-deadline.ts',
    'withDeadline',
    'true → false (2)',
    'A signal ends once, and the listener is removed when the wait ends.',
  ),
  row(
    'resources/batch/batch-result.ts',
    'resultOfItems',
    "state !== 'completed' || answer !== null → answer !== null",
    'The same results are written chunk by chunk.',
  ),
  row(
    'resources/environment/environment-files.ts',
    'isTooLarge',
    'put.length > environmentBounds.filesMax || put.some(({ bytes }) => bytes.length > environmentBounds.fileBytesMax) → put.length > environmentBounds.filesMax',
    'The step refuses the same afterwards, and what was stored for it is deleted again.',
  ),
  row(
    'resources/environment/environment-files.ts',
    'changeFiles',
    'isTooLarge(changes) → false',
    'The step refuses the same afterwards, and what was stored for it is deleted again.',
  ),
  row(
    'resources/environment/environment-kind.ts',
    'decide',
    "found.get('environmentTree', id) === undefined → false",
    'Deletes a tree that is not there, which changes nothing.',
  ),
  row(
    'webhooks/webhook-secret.ts',
    'openWebhookSecrets',
    '0 → (0 + 1)',
    'A millisecond after the beginning of time is past as well.',
  ),
  row('webhooks/delivery-endings.ts', 'record', '1 → (1 + 1)', 'The first of two random bytes is as random as one.'),
  row(
    'triggers/store-interaction.ts',
    'storeInteraction',
    'sealed.length <= inlineCharsMax → sealed.length < inlineCharsMax',
    'A text of exactly the bound lies in a blob instead of the row, and is read the same.',
  ),
  row(
    'jobs/sweep.ts',
    'purgeOperation',
    'isResourceKind(operation.kind) → true',
    'Reads the resource of an operation that has none.',
  ),
  row('jobs/jobs.ts', 'loop', 'false → true (3)', 'The first round sets it anew before anything reads it.'),
  row(
    'ledger/audit-roll-ups.ts',
    'amountsOf',
    "kind === 'compensation' && operationId !== null → operationId !== null",
    'A debit was told before, and a deposit names no operation.',
  ),
  row(
    'ledger/open-with-ledger.ts',
    'startRegistered',
    '0n → (0n + 1n)',
    'The ledger of a host does not say what is available, and no refusal that it caused names the amount.',
  ),
  row(
    'ledger/price-holes.ts',
    'plainCall',
    "{ kind: 'text', text: 'a' } → nothing",
    'A message costs tokens of text beside what it says, so that a call without any text has the same holes.',
  ),
  row(
    'resources/interaction/prepare-interaction.ts',
    'orderOf',
    "execution === 'rounds' → true",
    'Nothing reads the estimate of a job: only what the gateway carries out has its hold raised.',
  ),
];
