/** What the check does as a user of the shop, in a browser or by requests. */
export interface Visitor {
  readonly signUp: (email: string, password: string) => Promise<void>;
  readonly signIn: (email: string, password: string) => Promise<void>;
  /** Buys a pack, lets the card be kept, pays, and waits until the credits are there. */
  readonly buy: (pack: 'small' | 'large') => Promise<void>;
  readonly createKey: (name: string) => Promise<string>;
  /** What the model answers to a question that the page sends with the session of the user. */
  readonly ask: (question: string) => Promise<string>;
  /** The credits that the page shows. */
  readonly readBalance: () => Promise<string>;
  /** The statement of the account, as CSV. */
  readonly readStatement: () => Promise<string>;
  /** A text that the console shows to the user, once it is there. */
  readonly seeInConsole: (text: string) => Promise<void>;
  readonly signOut: () => Promise<void>;
  /** Errors of the pages so far. */
  readonly faults: readonly string[];
  readonly close: () => Promise<void>;
}
