import type { Lockstep } from '../lockstep.ts';
import { runStall, stallKinds, type StallCase } from './run-stall.ts';
import type { UpstreamScript } from './upstream-script.ts';
import type { WorkSubject } from './work-subject.ts';

const scripts: readonly UpstreamScript[] = [
  { kind: 'answers', usage: [], micros: null, pollsBefore: 0 },
  { kind: 'not_executed', reason: 'unavailable' },
  { kind: 'not_executed', reason: 'invalid_request' },
  { kind: 'unknown', ran: true },
];

const measured = (kind: StallCase['kind']): UpstreamScript => ({
  kind: 'answers',
  usage: [{ unit: kind === 'video' ? 'video_seconds' : 'input_text_tokens', quantity: 5, confirmed: true }],
  micros: 5n,
  pollsBefore: 1,
});

export interface StallsReport {
  readonly cases: number;
  readonly handOvers: number;
  /** Every rule that was broken, with its case. */
  readonly broken: readonly { readonly rule: string; readonly detail: string }[];
}

export interface StallsInput {
  readonly subject: WorkSubject;
  readonly lockstep: Lockstep;
  /** Every await in every shape, where else only work that is measured meets them all. */
  readonly thorough: boolean;
  /** Stop soon after this rule was broken. */
  readonly stopAtRule?: string;
}

type Shape = Omit<StallCase, 'at'>;

type Made = Pick<StallCase, 'kind' | 'batches'>;

const shapesOf = (made: Made, script: UpstreamScript, isFull: boolean): readonly Shape[] =>
  (isFull ? (['wallet', 'host'] as const) : (['wallet'] as const)).flatMap((ledger) =>
    stallKinds.flatMap((halt) =>
      (isFull ? [0, 1, 2] : [1]).flatMap((looks) =>
        (isFull && halt.startsWith('stalls') ? [false, true] : [false]).map((polls) => ({
          ...made,
          script,
          ledger,
          halt,
          looks,
          polls,
        })),
      ),
    ),
  );

const makes: readonly Made[] = [
  { kind: 'video', batches: 'items' },
  { kind: 'batch', batches: 'items' },
  { kind: 'batch', batches: 'upstream' },
];

/** What an upstream took on as a whole is most easily taken for what was never submitted. */
const isWhole = ({ batches }: Made): boolean => batches === 'upstream';

const allShapes = (thorough: boolean): readonly Shape[] =>
  makes.flatMap((made) => [
    ...shapesOf(made, measured(made.kind), true),
    ...scripts.flatMap((script) => shapesOf(made, script, thorough || (isWhole(made) && script.kind === 'answers'))),
  ]);

const describe = ({ kind, batches, script, ledger, halt, at, looks, polls }: StallCase): string =>
  `${kind} by ${batches}, ${script.kind}, ${ledger}: ${halt} at ${at}, ${looks} looks${polls ? ' and one' : ''}`;

/** Every await of the first worker, each in every shape. */
export const enumerateStalls = async (input: StallsInput): Promise<StallsReport> => {
  const { subject, lockstep, thorough, stopAtRule } = input;
  const broken: { readonly rule: string; readonly detail: string }[] = [];
  const sums = { cases: 0, handOvers: 0 };
  const lane = async (shape: Shape): Promise<void> => {
    for (let at = 0; !broken.some(({ rule }) => rule === stopAtRule); at += 1) {
      const stall: StallCase = { ...shape, at };
      const found = await runStall(subject, lockstep, stall);
      sums.cases += 1;
      sums.handOvers += found.handOvers;
      for (const { rule, detail } of found.breaches) broken.push({ rule, detail: `${describe(stall)}: ${detail}` });
      if (!found.reached) return;
    }
  };
  await Promise.all(allShapes(thorough).map(lane));
  return { ...sums, broken };
};
