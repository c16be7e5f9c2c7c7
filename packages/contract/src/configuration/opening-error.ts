/** What an operator can do where a database cannot be reached, by the code of the system. */
const networkAdvice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no database listens there: start it, or correct its address',
  ENOTFOUND: 'its address names a host that is not known: correct it',
  EAI_AGAIN: 'its address names a host that cannot be looked up now: correct it, or see to the name server',
  EHOSTUNREACH: 'there is no way to its host: correct the address, or see to the network',
  ETIMEDOUT: 'its host gives no sign: correct the address, or see to the network',
};

const isError = (cause: unknown): cause is Error => cause instanceof Error;

/** Node gathers the failures of several addresses under an error without a text. */
const textOf = (cause: Error): string => {
  if (cause.message !== '' || !(cause instanceof AggregateError)) return cause.message;
  return cause.errors.filter(isError).map(({ message }) => message)[0] ?? '';
};

/**
 * What to throw where a database could not be opened: the cause's own text and code with what to do about it, by `advice` and by
 * what the network says. A cause without advice stays as it is.
 */
export const openingError = (cause: unknown, advice: Readonly<Record<string, string>>): unknown => {
  if (!isError(cause) || !('code' in cause) || typeof cause.code !== 'string') return cause;
  const advised = advice[cause.code] ?? networkAdvice[cause.code];
  if (advised === undefined) return cause;
  const error = new Error(`the database cannot be opened (${textOf(cause)}): ${advised}`, { cause });
  return Object.assign(error, { code: cause.code });
};
