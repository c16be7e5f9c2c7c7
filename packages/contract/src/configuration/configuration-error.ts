/** One thing that is wrong with what a host wrote down. */
export interface ConfigurationFault {
  /** Where it stands, as a host would write it: `tariff.models['gpt-x'].perMillion.images`. */
  readonly place: string;
  /** A sentence that begins with the place, and says what came and what is accepted. */
  readonly message: string;
}

/** Faults that a message writes out; `faults` holds all of them. */
const faultsShownMax = 20;

const messageOf = (factory: string, faults: readonly ConfigurationFault[]): string => {
  const sentences = faults.slice(0, faultsShownMax).map(({ message }) => message);
  if (faults.length === 1) return `${factory}: ${sentences.join('')}`;
  const more = faults.length - sentences.length;
  const lines = more > 0 ? [...sentences, `${more} more`] : sentences;
  return [`${factory}: ${faults.length} faults in its configuration`, ...lines.map((line) => `- ${line}`)].join('\n');
};

/** A configuration that cannot be meant: every fault of it at once. It is thrown before anything is opened. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly code = 'configuration_invalid';
  readonly faults: readonly ConfigurationFault[];

  /** `factory` is what was called: `createGateway`. */
  constructor(factory: string, faults: readonly ConfigurationFault[]) {
    super(messageOf(factory, faults));
    this.faults = faults;
  }
}

/** Tells a configuration error by its code, so that two copies of this package in one process understand each other. */
export const isConfigurationError = (error: unknown): error is ConfigurationError =>
  error instanceof Error && 'code' in error && error.code === 'configuration_invalid' && 'faults' in error;
