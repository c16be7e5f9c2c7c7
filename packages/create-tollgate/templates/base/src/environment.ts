/** Where settings come from: `process.env`, or an object of a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a setting that has no default. An empty one counts as missing. */
export const required = (environment: Environment, name: string): string => {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`${name} is missing: set it in .env, or where you deploy`);
  return value;
};
