import type { OperationRecord } from '@tollgate/storage';

/** Pico-credits of one micro-credit. */
export const picosPerMicro = 1_000_000n;

/** An exact amount: whole micro-credits, and the pico-credits that it differs from them by. */
export interface Measure {
  readonly micros: bigint;
  /** Below a micro-credit either way; negative where the amount was rounded up. */
  readonly fractionPicos: number;
  /** The amount has been reported: it is what is debited, and the rest is carried whatever it is. */
  readonly isFixed?: true | undefined;
}

/** What of an exact amount is debited, and what is carried to the account's next operation. */
export interface Carried {
  readonly amountMicros: bigint;
  /** The exact amount less what is debited. */
  readonly carriedPicos: number;
}

/** A measure as commands bring it: whole micro-credits, and the rest where there is one. */
export interface MeasureFields {
  readonly fractionPicos?: number | undefined;
  readonly isFixed?: true | undefined;
}

export const measureOfFields = (micros: bigint, { fractionPicos = 0, isFixed }: MeasureFields): Measure => ({
  micros,
  fractionPicos,
  isFixed,
});

/** An amount that was reported, such as an operator's verdict. */
export const fixedMeasure = (micros: bigint): Measure => ({ micros, fractionPicos: 0, isFixed: true });

/** The amount of an operation that waits for balance: it was reported, so it stays as it is. Null where none does. */
export const pendingMeasure = ({
  pendingMicros,
  carriedPicos,
}: Pick<OperationRecord, 'pendingMicros' | 'carriedPicos'>): Measure | null =>
  pendingMicros === null ? null : { micros: pendingMicros, fractionPicos: carriedPicos, isFixed: true };

export const exactPicos = ({ micros, fractionPicos }: Measure): bigint =>
  micros * picosPerMicro + BigInt(fractionPicos);

/** The whole micro-credits of an amount, rounded down also below zero, and what is left of it. */
export const measureOfPicos = (picos: bigint): Measure => {
  const rest = ((picos % picosPerMicro) + picosPerMicro) % picosPerMicro;
  return { micros: (picos - rest) / picosPerMicro, fractionPicos: Number(rest) };
};

const microsUp = (picos: bigint): bigint => (picos + picosPerMicro - 1n) / picosPerMicro;

const within = (micros: bigint, highest: bigint): bigint => {
  if (micros < 0n) return 0n;
  return micros > highest ? highest : micros;
};

/**
 * How much of an exact amount is debited where the account carries a remainder: the whole micro-credits of both together. Never less
 * than nothing and never more than the amount rounded up, so that a hold which covers the amount covers the debit too. A remainder of
 * more than a micro-credit, which fixed amounts leave, goes down over several operations.
 */
export const carryAmount = (remainderPicos: number, due: Measure): Carried => {
  const duePicos = exactPicos(due);
  if (duePicos <= 0n) return { amountMicros: 0n, carriedPicos: 0 };
  if (due.isFixed === true) return { amountMicros: due.micros, carriedPicos: due.fractionPicos };
  const amountMicros = within(measureOfPicos(BigInt(remainderPicos) + duePicos).micros, microsUp(duePicos));
  return { amountMicros, carriedPicos: Number(duePicos - amountMicros * picosPerMicro) };
};
