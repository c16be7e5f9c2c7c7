/** A measurement at a time. */
export interface Sample {
  readonly minutes: number;
  readonly figures: Readonly<Record<string, number>>;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** By how much a figure rises in an hour: the line that fits the samples best. NaN for less than two. */
export const slopePerHour = (samples: readonly Sample[], figure: string): number => {
  const hours = samples.map(({ minutes }) => minutes / 60);
  const values = samples.map(({ figures }) => figures[figure] ?? Number.NaN);
  const [meanHours, meanValue] = [mean(hours), mean(values)];
  const spread = hours.reduce((sum, hour) => sum + (hour - meanHours) ** 2, 0);
  const together = hours.reduce((sum, hour, at) => sum + (hour - meanHours) * ((values[at] ?? 0) - meanValue), 0);
  return spread === 0 ? Number.NaN : together / spread;
};
