/** What a runner gives a test beside its body; vitest and node:test have `skip`, other runners may not. */
export interface TestContext {
  readonly skip?: ((reason: string) => unknown) | undefined;
}

/** The two functions of a test runner that a suite needs; those of vitest and of node:test fit. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly test: (name: string, body: (...context: readonly [context?: TestContext]) => Promise<void>) => unknown;
}

/** Marks a test as skipped, with the reason; prints it where the runner cannot. The test returns afterwards. */
export const skipTest = (context: TestContext | undefined, title: string, reason: string): void => {
  if (typeof context?.skip === 'function') context.skip(reason);
  else console.info(`skipped: ${title}: ${reason}`);
};
