const identifier = /^[A-Za-z_$][\w$]*$/;
/** Longest name of a host's that a place repeats, in characters. */
const nameCharsMax = 64;

const quoted = (name: string): string => {
  const shortened = name.length > nameCharsMax ? `${name.slice(0, nameCharsMax)}…` : name;
  return `'${shortened.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll(/[\p{Cc}]/gu, '?')}'`;
};

/** The place of a member whose name the options define: `limits.leaseMs`. */
export const memberPlace = (place: string, name: string): string => {
  if (!identifier.test(name) || name.length > nameCharsMax) return `${place}[${quoted(name)}]`;
  return place === '' ? name : `${place}.${name}`;
};

/** The place of an entry whose name the host chooses: `models['gpt-x']`. */
export const entryPlace = (place: string, name: string): string => `${place}[${quoted(name)}]`;

/** The place of one entry of a list: `catalog[3]`. */
export const indexPlace = (place: string, index: number): string => `${place}[${index}]`;
