/** Places of a price that are kept: a price list has six for a million units, so a price of one unit has twelve. */
const placesMax = 6;
const numberPattern = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** A rounded number of millionths as a decimal, without zeros at its end. */
const written = (millionths: bigint): string => {
  const digits = String(millionths).padStart(placesMax + 1, '0');
  const whole = digits.slice(0, -placesMax);
  const fraction = digits.slice(-placesMax).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
};

/**
 * A price as it stands in JSON, times ten to the `shift`, as a decimal with at most six places; null where it is no amount. Only the
 * digits are moved, never multiplied as floating-point numbers, so that 2.8e-7 a token is exactly 0.28 a million. What is below the
 * last place is rounded half up.
 */
export const shiftedDecimal = (value: unknown, shift: number): string | null => {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const match = numberPattern.exec(String(value).trim());
  if (match === null) return null;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const places = placesMax + shift + Number(exponent) - fraction.length;
  if (Math.abs(places) > 60) return Number(whole + fraction) === 0 || places < 0 ? '0' : null;
  const digits = BigInt(whole + fraction);
  if (places >= 0) return written(digits * 10n ** BigInt(places));
  const divisor = 10n ** BigInt(-places);
  return written((digits + divisor / 2n) / divisor);
};
