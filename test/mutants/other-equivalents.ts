import { equivalentsOf, type Equivalent } from './equivalent.ts';

const cron = equivalentsOf('packages/cron/src');
const routes = equivalentsOf('packages/routes/src');
const live = equivalentsOf('packages/live/src');
const egress = equivalentsOf('packages/node/src/egress');
const memory = equivalentsOf('packages/storage-memory/src');
const storage = equivalentsOf('packages/storage/src');
const sqlite = equivalentsOf('packages/storage-sqlite/src');
const cells = equivalentsOf('packages/storage-cells/src');
const statement = 'Every statement of an update writes the same row; how many columns it names is a matter of speed.';
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
  routes(
    'unknown-path.ts',
    'segmentsOf',
    '1 → (1 + 1)',
    'No route has more than three segments, so that none is near a path of seven, or of more.',
  ),
  live(
    'wires/google-socket.ts',
    'close',
    'memory.early = []; → nothing',
    'A closed session completes no setup, so that what waits is never handed on; the memory is freed with the socket.',
  ),
  egress(
    'egress-url.ts',
    'isFormOf',
    "labels.length === written.length && written.every((label, at) => { const form =  … el.toLowerCase() : internationalLabel.test(label) && form.startsWith('xn--'); }) → written.every((label, at) => { const form = labels[at] ?? ''; return asciiLabel. … el.toLowerCase() : internationalLabel.test(label) && form.startsWith('xn--'); })",
    'No letter, mark or digit stands for a full stop, so that no label becomes two; one without a form is refused.',
  ),
  memory('scan-rows.ts', 'scanRows', 'one.id < other.id → one.id <= other.id', 'No two rows of a table have one id.'),
  memory(
    'memory-storage.ts',
    'look',
    'key.fresh === true && trustFresh → false',
    'A record that is said to be new is looked for all the same.',
  ),
  sqlite(
    'table-rows.ts',
    'updateOf',
    'prepared.has(columns) || prepared.size < updateStatementsMax → prepared.has(columns)',
    statement,
  ),
  sqlite(
    'table-rows.ts',
    'updateOf',
    'prepared.has(columns) || prepared.size < updateStatementsMax → prepared.has(columns) && prepared.size < updateStatementsMax',
    statement,
  ),
  sqlite(
    'table-rows.ts',
    'updateOf',
    'prepared.size < updateStatementsMax → prepared.size <= updateStatementsMax',
    'One more statement is kept: the bound is one of memory.',
  ),
  sqlite(
    'claim-rows.ts',
    'isAnyDue',
    'run({ text: `SELECT 1 FROM ${columnName(table)} WHERE due_at_ms <= ? LIMIT 1`, values: [nowMs] }).length > 0 → run({ text: `SELECT 1 FROM ${columnName(table)} WHERE due_at_ms <= ? LIMIT 1`, values: [nowMs] }).length >= 0',
    'The claim itself finds that nothing is due.',
  ),
  sqlite(
    'sqlite-storage.ts',
    'createParts',
    '200 → (200 + 1)',
    'The log is copied into the database file a millisecond later: a matter of speed.',
  ),
  storage(
    'step-batcher.ts',
    'createStepBatcher',
    '16_384 → (16_384 + 1)',
    'One more step may wait before one is refused: the bound is one of memory.',
  ),
  storage(
    'sql/sum-usage-sql.ts',
    'readPart',
    'query.after?.fromMs ?? query.bounds[0] → query.bounds[0]',
    'Also reads the rows before the cursor, whose sums are left out of the result.',
  ),
  cells(
    'cells-vectors.ts',
    'search',
    'groups.length <= 1 → groups.length < 1',
    'What one cell found is sorted once more, and was in that order.',
  ),
  cells(
    'cells-vectors.ts',
    'search',
    'storeIds → nothing',
    'Each cell is asked for the stores of others too, of which it has nothing.',
  ),
  cells(
    'fenced-step.ts',
    'decideFenced',
    'own.length === 0 → false',
    'Adds what is logged for no move, which is nothing.',
  ),
  cells(
    'account-media.ts',
    'find',
    'all.length === 1 && all[0] === cell → false',
    'Asks the same cell once more, which has it as little as before.',
  ),
  cells(
    'copy-account.ts',
    'readLog',
    'pages.length < logPagesMax → pages.length <= logPagesMax',
    'One more page is gathered: the bound is one of memory, and what is left of the log is copied after it.',
  ),
  cells(
    'mover.ts',
    'drain',
    '1 → (1 + 1)',
    'After fewer drains the account is closed with more in its log, all of which is copied before the move is decided.',
  ),
  cells(
    'merge-sums.ts',
    'visibleSums',
    'sums.length >= query.limit → sums.length > query.limit',
    'Asks for a page more, of which nothing is returned: the sums are cut at the limit.',
  ),
  memory(
    'memory-storage.ts',
    'memoryStorage',
    'schedule === undefined → false',
    'A member that is undefined gets its default as one that is absent.',
  ),
];
