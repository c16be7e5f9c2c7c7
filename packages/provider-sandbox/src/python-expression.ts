/** The numbers that a program has named so far. */
export type PythonNames = ReadonlyMap<string, bigint>;

/** Computes; throws `PythonFailure` where Python fails, `NotUnderstood` where the sandbox would have to guess. */
export type PythonExpression = (names: PythonNames) => bigint;

/** What Python itself fails with, in its words. */
export class PythonFailure extends Error {}

/** The program is outside of what is understood here. */
export class NotUnderstood extends Error {}

/** Of any value, so that no power takes the machine away. */
const valueBitsMax = 4_096;
const nestingMax = 50;

const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield print'
  ).split(' '),
);

export const isPythonName = (token: string): boolean => /^[A-Za-z_]/.test(token) && !keywords.has(token);

/** Where reading stands in a statement. */
export interface Reading {
  readonly tokens: readonly string[];
  at: number;
  depth: number;
}

const refuse = (why: string): never => {
  throw new NotUnderstood(why);
};

const fail = (message: string): never => {
  throw new PythonFailure(message);
};

/** Goes on behind a token that must stand here. */
export const expectToken = (reading: Reading, token: string): void => {
  if (reading.tokens[reading.at] !== token) refuse(`no ${token}`);
  reading.at += 1;
};

const chain = (reading: Reading, operators: ReadonlySet<string>, next: (reading: Reading) => PythonExpression) => {
  let value = next(reading);
  for (
    let operator = reading.tokens[reading.at];
    operator !== undefined && operators.has(operator);
    operator = reading.tokens[reading.at]
  ) {
    reading.at += 1;
    const [calculate, left, right] = [operation(operator), value, next(reading)];
    value = (names) => calculate(left(names), right(names));
  }
  return value;
};

const sums = new Set(['+', '-']);
const products = new Set(['*', '//', '%']);

/** Reads an expression over whole numbers with `+ - * // % **` and brackets. */
export const readExpression = (reading: Reading): PythonExpression => chain(reading, sums, readProduct);

const readProduct = (reading: Reading): PythonExpression => chain(reading, products, readSigned);

/** A sign binds less than a power on its right: `-2 ** 2` is -4. */
const readSigned = (reading: Reading): PythonExpression => {
  const sign = reading.tokens[reading.at];
  if (sign !== '-' && sign !== '+') return readPower(reading);
  reading.at += 1;
  const value = nested(reading, readSigned);
  return sign === '-' ? (names) => -value(names) : value;
};

const readPower = (reading: Reading): PythonExpression => {
  const base = readAtom(reading);
  if (reading.tokens[reading.at] !== '**') return base;
  reading.at += 1;
  const exponent = nested(reading, readSigned);
  return (names) => power(base(names), exponent(names));
};

const readAtom = (reading: Reading): PythonExpression => {
  const token = reading.tokens[reading.at] ?? '';
  reading.at += 1;
  if (token === '(') {
    const value = nested(reading, readExpression);
    expectToken(reading, ')');
    return value;
  }
  // Python reads no other whole number that begins with a zero.
  if (/^(?:0|[1-9]\d*)$/.test(token)) {
    const value = bounded(BigInt(token));
    return () => value;
  }
  if (!isPythonName(token)) refuse(`no value: ${token}`);
  return (names) => names.get(token) ?? fail(`NameError: name '${token}' is not defined`);
};

const nested = (reading: Reading, read: (reading: Reading) => PythonExpression): PythonExpression => {
  reading.depth += 1;
  if (reading.depth > nestingMax) refuse('too deep');
  const value = read(reading);
  reading.depth -= 1;
  return value;
};

const bitsOf = (value: bigint): number => value.toString(16).length * 4;

const bounded = (value: bigint): bigint => (bitsOf(value) > valueBitsMax ? refuse('too large') : value);

const operation = (operator: string): ((left: bigint, right: bigint) => bigint) => {
  switch (operator) {
    case '+':
      return (left, right) => bounded(left + right);
    case '-':
      return (left, right) => bounded(left - right);
    case '*':
      return (left, right) => bounded(left * right);
    case '//':
      return (left, right) => (left - modulo(left, right)) / right;
    case '%':
      return modulo;
    default:
      return refuse(`no operator: ${operator}`);
  }
};

/** Has the sign of the divisor, as division rounds down. */
const modulo = (left: bigint, right: bigint): bigint => {
  if (right === 0n) return fail('ZeroDivisionError: division by zero');
  const remainder = left % right;
  return remainder !== 0n && remainder < 0n !== right < 0n ? remainder + right : remainder;
};

const power = (base: bigint, exponent: bigint): bigint => {
  // A negative power is no whole number.
  if (exponent < 0n || BigInt(bitsOf(base)) * exponent > BigInt(valueBitsMax)) return refuse('no such power');
  return base ** exponent;
};
