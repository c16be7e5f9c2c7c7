/** Where the engine tells an operator what happened. Fields never hold keys or content. */
export interface Logger {
  readonly info: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly warn: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly error: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

const nothing = (): void => {};

/** Says nothing. */
export const silentLogger: Logger = { info: nothing, warn: nothing, error: nothing };
