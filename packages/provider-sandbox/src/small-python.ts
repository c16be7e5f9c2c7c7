import {
  expectToken,
  isPythonName,
  NotUnderstood,
  PythonFailure,
  readExpression,
  type PythonExpression,
  type Reading,
} from './python-expression.ts';

/** What a program printed, or how it failed. */
export interface PythonRun {
  readonly outcome: 'ok' | 'failed';
  readonly output: string;
}

const codeCharactersMax = 2_000;

/**
 * Runs a program of assignments and prints over whole numbers, with `+ - * // % **` and brackets, exactly as Python does.
 * Undefined for any other program: nothing is guessed.
 */
export const runSmallPython = (code: string): PythonRun | undefined => {
  try {
    // All of it is read before any of it runs, as a program that Python cannot read prints nothing.
    return run(readProgram(code));
  } catch (cause) {
    if (cause instanceof NotUnderstood) return undefined;
    throw cause;
  }
};

type Statement =
  | { readonly kind: 'print'; readonly values: readonly PythonExpression[] }
  | { readonly kind: 'assign'; readonly name: string; readonly value: PythonExpression };

const run = (statements: readonly Statement[]): PythonRun => {
  const names = new Map<string, bigint>();
  let output = '';
  try {
    for (const statement of statements) {
      if (statement.kind === 'assign') names.set(statement.name, statement.value(names));
      else output += `${statement.values.map((value) => value(names)).join(' ')}\n`;
    }
    return { outcome: 'ok', output };
  } catch (cause) {
    if (!(cause instanceof PythonFailure)) throw cause;
    return { outcome: 'failed', output: `${output}${cause.message}\n` };
  }
};

const readProgram = (code: string): readonly Statement[] => {
  if (code.length > codeCharactersMax) throw new NotUnderstood('too long');
  const statements = code.split(/\r?\n/).flatMap(readLine);
  if (statements.length === 0) throw new NotUnderstood('empty');
  return statements;
};

const readLine = (line: string): readonly Statement[] => {
  const [program = ''] = line.split('#', 1);
  if (program.trim() === '') return [];
  // Indentation means something in Python.
  if (/^\s/.test(program)) throw new NotUnderstood('indented');
  return program
    .trimEnd()
    .replace(/;$/, '')
    .split(';')
    .map((statement) => readStatement(tokensOf(statement.trim())));
};

const tokensOf = (statement: string): readonly string[] => {
  const tokens = statement.match(/\d+|[A-Za-z_]\w*|\*\*|\/\/|[-+*%()=,]|\S/g) ?? [];
  // `1if` and `2x` are one word to Python.
  if (/\d[A-Za-z_]/.test(statement.replace(/[A-Za-z_]\w*/g, (word) => '_'.repeat(word.length)))) {
    throw new NotUnderstood('a number runs into a word');
  }
  return tokens;
};

const readStatement = (tokens: readonly string[]): Statement => {
  const reading: Reading = { tokens, at: 0, depth: 0 };
  const statement = tokens[0] === 'print' ? readPrint(reading) : readAssignment(reading);
  if (reading.at !== tokens.length) throw new NotUnderstood('something is left over');
  return statement;
};

const readAssignment = (reading: Reading): Statement => {
  const [name = ''] = reading.tokens;
  if (!isPythonName(name)) throw new NotUnderstood('no name');
  reading.at = 1;
  expectToken(reading, '=');
  return { kind: 'assign', name, value: readExpression(reading) };
};

const readPrint = (reading: Reading): Statement => {
  reading.at = 1;
  expectToken(reading, '(');
  const values: PythonExpression[] = [];
  while (reading.tokens[reading.at] !== ')') {
    if (values.length > 0) expectToken(reading, ',');
    values.push(readExpression(reading));
  }
  expectToken(reading, ')');
  return { kind: 'print', values };
};
