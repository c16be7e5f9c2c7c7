export type { Conventions } from './genai-names.ts';
export { metricTable, type MetricSpec } from './metric-table.ts';
export { telemetry, type Telemetry, type TelemetryOptions } from './telemetry.ts';
