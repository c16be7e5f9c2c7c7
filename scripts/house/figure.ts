/** One thing that is counted, and every place that counts. */
export interface Figure {
  /** Names the figure in the table and in `ceilings.json`. */
  readonly id: string;
  readonly value: number;
  /** What it should be, as the table says it; empty where the ceiling only goes down. */
  readonly goal: string;
  /** `path:line what`, one each; the value is their count unless the figure says otherwise. */
  readonly places: readonly string[];
}

/** Texts of files by their path from the root of the checkout, with forward slashes. */
export type Texts = ReadonlyMap<string, string>;

/** A figure whose value is the number of its places. */
export const countPlaces = (id: string, goal: string, places: readonly string[]): Figure => ({
  id,
  value: places.length,
  goal,
  places,
});

/** The line of a position, counted from one. */
export const lineAt = (text: string, position: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
};
