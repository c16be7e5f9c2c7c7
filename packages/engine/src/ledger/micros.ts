/** Amounts beyond this (10^9 credits) are refused, so that every amount survives as a JSON number. */
export const microsMax = 1_000_000_000_000_000n;

const microsPerCredit = 1_000_000n;
const decimalPattern = /^(-?)(\d{1,10})(?:\.(\d{1,6}))?$/;

/** Reads a decimal with at most six places, such as `12.5`, as whole millionths; null where it is none. */
export const parseMillionths = (value: string | number): bigint | null => {
  const match = decimalPattern.exec(typeof value === 'number' ? plainNumber(value) : value);
  if (match === null) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const millionths = BigInt(whole) * microsPerCredit + BigInt(fraction.padEnd(6, '0'));
  return sign === '-' ? -millionths : millionths;
};

/** Numbers below 10^-6 print with an exponent; they have too many places anyway, and are refused as text. */
const plainNumber = (value: number): string => (Number.isFinite(value) ? String(value) : '');

// ledger:numbers:micro
/** Credits as micro-credits, refused with a clear message where they are no amount. */
export const microsFromCredits = (credits: string | number): bigint => {
  const micros = parseMillionths(credits);
  if (micros === null || micros > microsMax || micros < -microsMax)
    throw new TypeError(`not an amount of credits with at most six decimals: ${String(credits)}`);
  return micros;
};

/** Credits with all six decimals, exactly: what a column of amounts holds. */
export const decimalFromMicros = (micros: bigint): string => {
  const digits = String(micros < 0n ? -micros : micros).padStart(7, '0');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

// ledger:numbers:json
/** The JSON number of an amount: the nearest double prints at most six decimals. */
export const creditsFromMicros = (micros: bigint): number => Number(micros) / 1_000_000;
