import {
  callable,
  checkOf,
  faultAt,
  flag,
  implementation,
  list,
  memberPlace,
  oneOf,
  optionsCheck,
  required,
  tableOf,
  whole,
  type OptionCheck,
} from '@tollgate/contract/configuration';
import { toolNames, usageUnits } from '@tollgate/provider';
import type { ToolBound, ToolRunner, ToolRunners } from './tool-runner.ts';

const runner = implementation<ToolRunner>({
  tool: required(oneOf(...toolNames)),
  isRepeatable: required(flag()),
  callUsageMax: required(
    list(optionsCheck<ToolBound>({ unit: required(oneOf(...usageUnits)), quantity: required(whole()) })),
  ),
  declare: required(callable()),
  stepArguments: callable(),
  run: callable(),
});

const runners = tableOf(toolNames, runner);

/** A runner for each tool, under the tool's own name. */
export const toolRunnersCheck: OptionCheck<ToolRunners> = checkOf((value, place) => {
  const faults = runners.faultsOf(value, place);
  if (faults.length > 0 || typeof value !== 'object' || value === null) return faults;
  return Object.entries(value).flatMap(([name, given]: [string, unknown]) => {
    const tool: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'tool') : name;
    return tool === name
      ? []
      : faultAt(memberPlace(place, name), `is the runner of ${String(tool)}`, `is the runner of ${name}`);
  });
});
