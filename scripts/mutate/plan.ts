import { z } from 'zod';

/** What one run of the tests does with the mutants. */
export type Plan = z.infer<typeof Plan>;
export const Plan = z.object({
  /** Notes which switches each test reaches, or turns mutants on one after the other. */
  mode: z.enum(['cover', 'kill']),
  /** Absolute; a line is added for each thing that happened. */
  journal: z.string(),
  /** Number of switches in all sources. */
  switches: z.int(),
  /** Where the switched source of each file of the checkout is. */
  sources: z.record(z.string(), z.string()),
  /** Test files below the root, in the order in which they run. */
  files: z.array(z.string()).readonly(),
  /** By the id that the runner gives a test: the mutants that are tried with it, in order. */
  tests: z.record(z.string(), z.array(z.int()).readonly()),
  /** Pairs of a mutant and a test after which the test failed without it too: a pass without it comes right before. */
  suspects: z.array(z.string()).readonly(),
  /** Mutants that are done with once a test failed with them; otherwise every test is tried. */
  once: z.boolean(),
});

/** Names the file that holds the plan of a run. */
export const planVariable = 'TOLLGATE_MUTATION_PLAN';

export type TestName = z.infer<typeof TestName>;
export const TestName = z.object({ id: z.string(), file: z.string(), name: z.string() });

/** One thing that happened in a run, as a line of its journal. */
export type Entry = z.infer<typeof Entry>;
export const Entry = z.discriminatedUnion('kind', [
  /** The switches that were reached as the modules of a test file loaded, one bit each, in base64. */
  z.object({ kind: z.literal('loaded'), file: z.string(), bits: z.string() }),
  /** The switches that a test reached. */
  z.object({ kind: z.literal('covered'), test: TestName, ms: z.int(), bits: z.string() }),
  /** The last test of a file ended. */
  z.object({ kind: z.literal('ended'), file: z.string() }),
  z.object({ kind: z.literal('started'), mutant: z.int(), test: z.string() }),
  z.object({ kind: z.literal('killed'), mutant: z.int(), test: z.string(), by: TestName, how: z.string() }),
  z.object({ kind: z.literal('lived'), mutant: z.int(), test: z.string() }),
  /** The test failed with the mutant, and then without it as well. */
  z.object({ kind: z.literal('suspect'), mutant: z.int(), test: z.string() }),
  /** The test fails without any mutant. */
  z.object({ kind: z.literal('sick'), test: z.string(), by: TestName }),
]);

export const pairOf = (mutant: number, test: string): string => `${mutant} ${test}`;
