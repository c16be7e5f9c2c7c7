const charsMax = 214;

/** Why a name cannot be the name of a package; null where it can. */
export const nameFault = (name: string): string | null =>
  /^[a-z0-9][a-z0-9._-]*$/u.test(name) && name.length <= charsMax && name !== 'node_modules'
    ? null
    : `'${name}' cannot be the name of a package; accepted are small letters, digits, '-', '_' and '.', beginning with a letter or a digit, ${charsMax} at the most`;
