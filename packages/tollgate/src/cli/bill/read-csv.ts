/** One record of a CSV file. */
export interface CsvRecord {
  /** The line that it begins on, counted from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

export interface CsvOptions {
  /** What stands between two fields (default `,`). */
  readonly delimiter?: string;
  /** A longer record is refused (default 65,536). */
  readonly recordCharsMax?: number;
}

const recordCharsMaxDefault = 65_536;

/** Where in a field the reader is: outside of quotes, between them, or behind a quote that may be half of a doubled one. */
type Place = 'plain' | 'quoted' | 'quote';

interface State {
  readonly delimiter: string;
  readonly recordCharsMax: number;
  place: Place;
  field: string;
  fields: string[];
  line: number;
  /** The line that the record in hand begins on. */
  firstLine: number;
  chars: number;
  /** Whether the last character was a carriage return, which a line feed belongs to. */
  afterReturn: boolean;
}

const fault = ({ line }: State, what: string): never => {
  throw new SyntaxError(`line ${line} of the CSV: ${what}`);
};

const endField = (state: State): void => {
  state.fields.push(state.field);
  state.field = '';
  state.place = 'plain';
};

const endRecord = (state: State): CsvRecord | null => {
  endField(state);
  const record = { line: state.firstLine, fields: state.fields };
  state.fields = [];
  state.chars = 0;
  state.firstLine = state.line + 1;
  // A line without anything on it is no record.
  return record.fields.length === 1 && record.fields[0] === '' ? null : record;
};

const takeQuoted = (state: State, character: string): void => {
  if (character === '"') state.place = 'quote';
  else state.field += character;
  if (character === '\n') state.line += 1;
};

/** Takes one character; returns the record that it ends. */
const take = (state: State, character: string): CsvRecord | null => {
  state.chars += 1;
  if (state.chars > state.recordCharsMax) fault(state, `a record has more than ${state.recordCharsMax} characters`);
  if (state.place === 'quoted') {
    takeQuoted(state, character);
    return null;
  }
  if (character === '\n' && state.afterReturn) {
    state.afterReturn = false;
    state.chars -= 1;
    return null;
  }
  state.afterReturn = character === '\r';
  if (character === '\n' || character === '\r') {
    const record = endRecord(state);
    state.line += 1;
    return record;
  }
  if (character === state.delimiter) endField(state);
  else if (character === '"') takeQuote(state);
  else if (state.place === 'quote') fault(state, 'something follows the quote that ends a field');
  else state.field += character;
  return null;
};

const takeQuote = (state: State): void => {
  if (state.place === 'quote') state.field += '"';
  else if (state.field !== '') fault(state, 'a quote stands in a field that is not quoted');
  state.place = 'quoted';
};

/**
 * Reads CSV text as it comes, by RFC 4180: quoted fields may hold delimiters, line ends and doubled quotes; lines end in LF, CR LF or CR.
 * Empty lines are passed over, and a byte order mark at the beginning too. Throws a SyntaxError that names the line.
 */
export async function* readCsv(
  chunks: Iterable<string> | AsyncIterable<string>,
  { delimiter = ',', recordCharsMax = recordCharsMaxDefault }: CsvOptions = {},
): AsyncGenerator<CsvRecord, void> {
  const state: State = {
    delimiter,
    recordCharsMax,
    place: 'plain',
    field: '',
    fields: [],
    line: 1,
    firstLine: 1,
    chars: 0,
    afterReturn: false,
  };
  let isFirst = true;
  for await (const chunk of chunks) {
    const text = isFirst && chunk.startsWith('\uFEFF') ? chunk.slice(1) : chunk;
    if (chunk !== '') isFirst = false;
    for (const character of text) {
      const record = take(state, character);
      if (record !== null) yield record;
    }
  }
  if (state.place === 'quoted') fault(state, 'a quote is opened and never closed');
  const last = state.chars === 0 ? null : endRecord(state);
  if (last !== null) yield last;
}
