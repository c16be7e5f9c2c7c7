import type { EntryRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { decimalFromMicros } from '../ledger/micros.ts';
import { csvLine, textCell } from './csv.ts';
import { findStatement, type StatementQuery } from './statements.ts';
import { textStream } from './text-stream.ts';

/** Which entries a file has: all of an account, or those of a time. */
export type StatementRange = Omit<StatementQuery, 'after' | 'limit'>;

const head = csvLine(['seq', 'time', 'kind', 'credits', 'balance', 'model', 'key_id', 'operation_id', 'reference']);

const lineOf = ({ model, keyId, operationId, reference, ...entry }: EntryRecord): string =>
  csvLine([
    String(entry.seq),
    new Date(entry.createdAtMs).toISOString(),
    entry.kind,
    decimalFromMicros(entry.amountMicros),
    decimalFromMicros(entry.balanceMicros),
    ...[model, keyId, operationId, reference].map((text) => textCell(text ?? '')),
  ]);

async function* lines(engine: Pick<Engine, 'storage'>, range: StatementRange): AsyncGenerator<string, void> {
  yield head;
  for (let after: StatementQuery['after']; ;) {
    const { items, next } = await findStatement(engine, { ...range, after });
    if (items.length > 0) yield items.map(lineOf).join('');
    if (next === null) return;
    after = next;
  }
}

/** The statement of a time as CSV in UTF-8, newest first. Reading it to its end reads every page. */
export const statementCsv = (
  engine: Pick<Engine, 'storage'>,
  range: StatementRange,
): Promise<ReadableStream<Uint8Array>> => Promise.resolve(textStream(lines(engine, range)));
