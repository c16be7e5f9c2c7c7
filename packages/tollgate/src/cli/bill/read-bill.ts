import { createReadStream } from 'node:fs';
import type { BillRow } from '@tollgate/engine';
import { createReadRow, type ColumnOptions, type ReadRow } from './bill-columns.ts';
import { readCsv, type CsvRecord } from './read-csv.ts';

export interface BillFile extends ColumnOptions {
  readonly path: string;
  readonly delimiter?: string | undefined;
}

async function* rowsOf(records: AsyncIterable<CsvRecord>, options: ColumnOptions): AsyncGenerator<BillRow, void> {
  let readRow: ReadRow | undefined;
  for await (const record of records) {
    if (readRow === undefined) {
      readRow = createReadRow(record.fields, options);
      continue;
    }
    yield readRow(record);
  }
  if (readRow === undefined) throw new RangeError('the bill is empty: its first line names the columns');
}

/** Reads a bill from a CSV file, a row at a time. Throws a RangeError or a SyntaxError that names the line. */
export const readBill = ({ path, delimiter, ...columns }: BillFile): AsyncIterable<BillRow> => {
  // A stream with an encoding gives texts.
  const chunks = createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>;
  return rowsOf(readCsv(chunks, delimiter === undefined ? {} : { delimiter }), columns);
};
