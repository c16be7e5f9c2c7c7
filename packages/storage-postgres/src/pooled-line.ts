import type { Line } from './line.ts';
import type { Statement } from './statement.ts';

/** Where the settings go among the statements of one round trip; null in the middle of a transaction, and at its end. */
const placeOfSettings = (first: Statement, isWithin: boolean): number | null => {
  if (first.text.startsWith('BEGIN')) return 1;
  return isWithin || /^(?:COMMIT|ROLLBACK)/.test(first.text) ? null : 0;
};

/** Parsed each time: the name of a statement is known to one connection of the pooler to the server, and not to the next. */
const unnamed = (statement: Statement): Statement => ({ ...statement, name: '' });

/**
 * A line through a pooler in transaction mode, where nothing of a session outlives its transaction. Each transaction begins with
 * the settings, which hold until its end. A round trip outside a transaction is one by itself.
 */
export const createPooledLine = (line: Line, settings: Statement): Line => {
  let isWithin = false;
  const sent = function* (
    statements: Iterable<Statement>,
    onPlace: (place: number | null) => void,
  ): Generator<Statement, void> {
    let count = 0;
    let place: number | null = null;
    for (const statement of statements) {
      if (count === 0) onPlace((place = placeOfSettings(statement, isWithin)));
      if (count === place) yield settings;
      if (statement.text.startsWith('BEGIN')) isWithin = true;
      if (/^(?:COMMIT|ROLLBACK)/.test(statement.text)) isWithin = false;
      yield unnamed(statement);
      count += 1;
    }
  };
  return {
    ...line,
    run: async (statements) => {
      let place: number | null = null;
      const results = await line.run(
        sent(statements, (found) => {
          place = found;
        }),
      );
      return results.filter((_, at) => at !== place);
    },
  };
};
