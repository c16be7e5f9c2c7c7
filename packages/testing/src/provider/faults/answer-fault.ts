import type { Generation, Provider } from '@tollgate/provider';

type Generate = NonNullable<Provider['generate']>;

/** Breaks both ways of answering. */
export interface AnswerFault {
  readonly name: string;
  readonly failsCase: string;
  readonly change: (generate: Generate) => Generate;
}

/** Breaks the answer. */
export const answering =
  (change: (answer: Generation) => Generation): AnswerFault['change'] =>
  (generate) =>
  async (call, context) =>
    change(await generate(call, context));
