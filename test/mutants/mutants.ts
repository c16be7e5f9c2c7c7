import { callerMutants } from './caller-mutants.ts';
import { capMutants } from './cap-mutants.ts';
import { cellMutants } from './cell-mutants.ts';
import { hookMutants } from './hook-mutants.ts';
import { limitMutants } from './limit-mutants.ts';
import { engineMutant, suiteCase } from './mutant-rows.ts';
import type { Mutant } from './mutant.ts';
import { priceMutants } from './price-mutants.ts';
import { providerMutants } from './provider-mutants.ts';
import { kitMutants } from './kit-mutants.ts';
import { storageMutants } from './storage-mutants.ts';
import { tokenMutants } from './token-mutants.ts';
import { usageMutants } from './usage-mutants.ts';

const liveLedgerCase = (title: string): Mutant['test'] => suiteCase('live-ledger-cases.ts', title);

/** Faults that the tests once let through, each with the test that was written against it. */
export const mutants: readonly Mutant[] = [
  ...callerMutants,
  ...capMutants,
  ...cellMutants,
  ...hookMutants,
  ...limitMutants,
  ...priceMutants,
  ...providerMutants,
  ...kitMutants,
  ...storageMutants,
  ...tokenMutants,
  ...usageMutants,
  engineMutant(
    'media that came with an interaction are left to the sweep',
    ['resources/interaction/close-interaction.ts', '  ...ended.givenBlobs,\n', ''],
    ['resources/interaction/run-rounds.test.ts', 'keeps the media that came with its request'],
  ),
  engineMutant(
    'a refund gives back as many credits as its amount',
    ['decisions/pay-order.ts', 'const backMicros = creditsBack(order, back);', 'const backMicros = BigInt(back);'],
    ['decisions/pay-order.test.ts', 'are taken with the deposit where the refund was first'],
  ),
  engineMutant(
    'credits are given for another amount than was ordered',
    ['decisions/pay-order.ts', 'order.price === paid && ', ''],
    ['decisions/pay-order.test.ts', 'gives nothing for'],
  ),
  engineMutant(
    'a paid top-up stays under way',
    ['decisions/pay-order.ts', "  ...topUpPaid(records.get('topUp', order.accountId), order.id),\n", ''],
    ['decisions/top-up.test.ts', 'is over in the step that credits its payment'],
  ),
  engineMutant(
    'a refused top-up is tried again at once',
    ['decisions/top-up.ts', 'waitUntilMs: nowMs + pauseMs(refusals),', 'waitUntilMs: 0,'],
    ['decisions/top-up.test.ts', 'waits twice as long after each refusal'],
  ),
  engineMutant(
    'automatic payments have no bound in a month',
    [
      'decisions/top-up.ts',
      'if (topUp.monthPrice + command.price > command.monthPriceMax)',
      'if (command.price > command.monthPriceMax)',
    ],
    ['decisions/top-up.test.ts', 'stays within the month, and a new month begins at nothing'],
  ),
  engineMutant(
    'a charge is rounded up',
    [
      'decisions/carry.ts',
      'micros: (picos - rest) / picosPerMicro,',
      'micros: (picos - rest) / picosPerMicro + (rest > 0n ? 1n : 0n),',
    ],
    ['operations/run-operation.test.ts', 'no charge is rounded up'],
  ),
  engineMutant(
    'a cache that is deleted after it expired is charged until its deletion',
    [
      'resources/cache/cache-kind.ts',
      'Math.min(kept.endedAtMs ?? expiresAtMs, expiresAtMs)',
      'kept.endedAtMs ?? expiresAtMs',
    ],
    ['resources/cache/cache-kind.test.ts', 'is charged until it expired where it is deleted after that'],
  ),
  {
    name: 'a revoked key reads as long as its opening is remembered',
    file: 'packages/routes/src/authenticate.ts',
    search: "purpose === 'opening' ?",
    replace: "purpose !== 'none' ?",
    test: {
      project: 'integration',
      file: 'test/gateway/revoked-elsewhere.test.ts',
      title: 'reads nothing with a key that another process revoked',
    },
  },
  {
    name: 'a started second of a session is not charged',
    file: 'packages/live/src/run-session.ts',
    search: 'Math.ceil(((closedAtMs',
    replace: 'Math.floor(((closedAtMs',
    test: liveLedgerCase('charges a second that was begun as a whole one'),
  },
  {
    name: 'an upstream that opens too late is left open',
    file: 'packages/live/src/run-session.ts',
    search: "if (session.state.phase === 'ended') return upstream.close();",
    replace: '',
    test: liveLedgerCase('closes an upstream that opens when its session has ended'),
  },
  engineMutant(
    'an occurrence that could not be opened yet does not keep the next one from running',
    [
      'triggers/run-triggers.ts',
      "if (occurrence.status !== 'pending' && occurrence.status !== 'processing') return false;",
      "if (occurrence.status !== 'processing') return false;",
    ],
    ['triggers/triggers.test.ts', 'skips an occurrence while the one before could not be opened yet'],
  ),
  engineMutant(
    'items that were given up because the process stopped fail',
    [
      'resources/batch/run-item.ts',
      "if (signal.aborted && cause.reason === 'cancelled') return putOffItem(id, attempts);",
      '',
    ],
    ['resources/batch/batch-kind.test.ts', 'puts an item off that was given up before it was handed over'],
  ),
  engineMutant(
    'a provider is not heard when work is taken from it',
    ['workers/with-deadline.ts', 'turn < graceTurns', 'turn < 0'],
    ['resources/batch/batch-kind.test.ts', 'puts an item off that was given up before it was handed over'],
  ),
  engineMutant(
    'a step that may have been made is told as refused because the last try was busy',
    [
      'operations/persist.ts',
      'if (isStorageBusy(failure) || !isStorageBusy(cause)) failure = cause;',
      'failure = cause;',
    ],
    ['operations/persist.test.ts', 'as its cause'],
  ),
  {
    name: 'the name of a blob is not on disk when it is put',
    file: 'packages/storage-sqlite/src/disk-blobs.ts',
    search: '    await rename(aside, place);\n    await sync(dirname(place));',
    replace: '    await rename(aside, place);',
    test: {
      project: 'unit',
      file: 'packages/storage-sqlite/src/disk-blobs.test.ts',
      title: 'responds to a put or a deletion when the folder that names the blob is on disk',
    },
  },
  {
    name: 'a blob is installed though parts of it were deleted',
    file: 'packages/storage-postgres/src/table-blobs.ts',
    search: 'HAVING coalesce(sum(length(bytes)), 0) = $3::bigint',
    replace: 'HAVING coalesce(sum(length(bytes)), 0) <= $3::bigint',
    test: {
      project: 'unit',
      file: 'packages/storage-postgres/src/postgres-storage.test.ts',
      cases: 'packages/testing/src/storage/cases/blob-stream-cases.ts',
      title: 'installs nothing that is shorter than its stream',
    },
  },
  {
    name: 'two lengths of vectors that are put at once are both in the store',
    file: 'packages/storage-postgres/src/vector-statements.ts',
    search: 'WHERE present.bytes <> asked.bytes',
    replace: 'WHERE present.bytes < 0',
    test: {
      project: 'unit',
      file: 'packages/storage-postgres/src/postgres-storage.test.ts',
      cases: 'packages/testing/src/storage/cases/vector-cases.ts',
      title: 'lets one of two lengths into a store that was empty',
    },
  },
  engineMutant(
    'one running operation of each 512 is not renewed',
    [
      'jobs/in-cells.ts',
      'runs.slice(at * runsMax, (at + 1) * runsMax)',
      'runs.slice(at * runsMax, (at + 1) * runsMax - 1)',
    ],
    ['jobs/jobs.test.ts', 'renews every one of more operations than one step takes'],
  ),
  engineMutant(
    'a cache is deleted out of the hands of the worker that lets it expire',
    ['decisions/end-resource.ts', 'if (operation.owner !== null)', 'if (operation.owner === undefined)'],
    ['resources/cache/cache-kind.test.ts', 'is not taken out of the hands of the worker'],
  ),
  engineMutant(
    'a delivery is sent again by the word of another webhook',
    ['decisions/delivery.ts', ' || delivery.webhookId !== command.webhookId', ''],
    ['webhooks/webhooks.test.ts', 'sends a delivery again for its own webhook alone'],
  ),
  engineMutant(
    'a project has one batch too many at work',
    ['workers/worker-pool.ts', 'ofProject < kind.runningPerProjectMax', 'ofProject <= kind.runningPerProjectMax'],
    ['workers/work.test.ts', 'works on no more than its bound for one project'],
  ),
  engineMutant(
    'a turn that lost its lease goes on beside the next',
    ['workers/worker-pool.ts', '      before?.abort.abort();\n', ''],
    ['workers/work.test.ts', 'aborts its own turn before'],
  ),
  engineMutant(
    'the hold of a session is rounded down',
    ['live/live-ledger.ts', "priceOf(tariff, usage, 'up')", "priceOf(tariff, usage, 'half_up')"],
    ['live/live-ledger.test.ts', 'holds for what was used rounded up'],
  ),
  {
    name: 'a fixed time in a gap of exactly three hours is left out',
    file: 'packages/cron/src/next-run.ts',
    search: 'gapTo - gapFrom <= gapMsMax',
    replace: 'gapTo - gapFrom < gapMsMax',
    test: {
      project: 'unit',
      file: 'packages/cron/src/next-run.test.ts',
      title: 'runs a fixed time right after a gap of exactly three hours',
    },
  },
];
