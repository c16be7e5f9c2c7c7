/** One figure that has a limit. */
export interface Verdict {
  readonly what: string;
  readonly measured: number;
  readonly limit: number;
  readonly unit: 'ms' | 'times';
  /** What was sent, where the figure is of one thing. */
  readonly by: string;
}

export const holds = ({ measured, limit }: Verdict): boolean => measured <= limit;

/** The figures beside their limits, as a table for a terminal. */
export const verdictRows = (verdicts: readonly Verdict[]): readonly Readonly<Record<string, string>>[] =>
  verdicts.map((verdict) => ({
    what: verdict.what,
    measured: `${verdict.measured.toFixed(1)} ${verdict.unit}`,
    limit: `${verdict.limit} ${verdict.unit}`,
    verdict: holds(verdict) ? 'ok' : 'BEYOND',
    by: verdict.by,
  }));
