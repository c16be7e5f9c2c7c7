/** What one of the five fields may hold. */
export interface FieldBounds {
  readonly min: number;
  readonly max: number;
  /** Three-letter names, the first of which stands for `nameOffset`. */
  readonly names: readonly string[];
  readonly nameOffset: number;
  /** Stands for `max` where it ends a range, and for `nameOffset` everywhere else. */
  readonly nameOfMax?: string;
}

export interface CronField {
  readonly values: ReadonlySet<number>;
  /** Exactly `*`: it leaves the day to the other field of the day. */
  readonly isStar: boolean;
  /** Begins with `*`: the schedule repeats through an hour that the clocks repeat. */
  readonly beginsWithStar: boolean;
}

const part = /^(?:(\*)|([0-9]{1,2}|[A-Za-z]{3})(?:-([0-9]{1,2}|[A-Za-z]{3}))?)(?:\/([0-9]{1,2}))?$/;

const valueOf = (text: string, { min, max, names, nameOffset }: FieldBounds): number | null => {
  const named = names.indexOf(text.toUpperCase());
  if (named >= 0) return named + nameOffset;
  const value = /^[0-9]/.test(text) ? Number(text) : -1;
  return value >= min && value <= max ? value : null;
};

interface Range {
  readonly from: number;
  readonly to: number;
}

const endOf = (text: string, bounds: FieldBounds): number | null =>
  text.toUpperCase() === bounds.nameOfMax ? bounds.max : valueOf(text, bounds);

const rangeOf = (from: string | undefined, to: string | undefined, bounds: FieldBounds): Range | null => {
  if (from === undefined) return { from: bounds.min, to: bounds.max };
  const first = valueOf(from, bounds);
  const last = to === undefined ? first : endOf(to, bounds);
  if (first === null || last === null || first > last) return null;
  return { from: first, to: last };
};

/** Reads one field, or returns null where it is not of the strict grammar. */
export const parseField = (text: string, bounds: FieldBounds): CronField | null => {
  const values = new Set<number>();
  for (const piece of text.split(',')) {
    const match = part.exec(piece);
    if (match === null) return null;
    const [, star, from, to, stepText] = match;
    const range = rangeOf(from, to, bounds);
    const step = stepText === undefined ? 1 : Number(stepText);
    // A step needs something to step through, and must be shorter than the field is long.
    const isStepped = stepText !== undefined;
    if (range === null || step === 0 || step > bounds.max - bounds.min) return null;
    if (isStepped && star === undefined && to === undefined) return null;
    for (let value = range.from; value <= range.to; value += step) values.add(value);
  }
  return { values, isStar: text === '*', beginsWithStar: text.startsWith('*') };
};
