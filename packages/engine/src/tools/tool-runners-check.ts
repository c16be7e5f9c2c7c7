import {
  callable,
  checkOf,
  faultAt,
  flag,
  foreign,
  implementation,
  list,
  memberPlace,
  oneOf,
  optionsCheck,
  required,
  table,
  tableOf,
  text,
  whole,
  type OptionCheck,
} from '@tollgate/contract/configuration';
import { toolNames, usageUnits, type ToolName } from '@tollgate/provider';
import type { HostToolRunner, ToolBound, ToolRunner, ToolRunners } from './tool-runner.ts';

const callUsageMax = required(
  list(optionsCheck<ToolBound>({ unit: required(oneOf(...usageUnits)), quantity: required(whole()) })),
);

const runner = implementation<ToolRunner<ToolName>>({
  tool: required(oneOf(...toolNames)),
  isRepeatable: required(flag()),
  callUsageMax,
  declare: required(callable()),
  stepArguments: callable(),
  run: callable(),
});

/** Names of functions that every upstream takes. */
const hostToolName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const own = table(
  implementation<HostToolRunner>({
    description: text(),
    parameters: foreign(),
    isRepeatable: required(flag()),
    callUsageMax,
    run: required(callable()),
  }),
  (name, place) =>
    hostToolName.test(name)
      ? []
      : faultAt(
          place,
          'is no name of a tool',
          'are letters, digits, _ and -, beginning with a letter or an underscore, at most 64 characters',
        ),
);

const runners = tableOf(toolNames, runner);

/** A runner for each tool, under the tool's own name; those of the host's own under `own`. */
export const toolRunnersCheck: OptionCheck<ToolRunners> = checkOf((value, place) => {
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
  const { own: ofHost, ...named } = isTable ? { own: undefined, ...value } : { own: undefined };
  const ownFaults = ofHost === undefined ? [] : own.faultsOf(ofHost, memberPlace(place, 'own'));
  const faults = [...runners.faultsOf(isTable ? named : value, place), ...ownFaults];
  if (faults.length > 0) return faults;
  return Object.entries(named).flatMap(([name, given]: [string, unknown]) => {
    const tool: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'tool') : name;
    return tool === name
      ? []
      : faultAt(memberPlace(place, name), `is the runner of ${String(tool)}`, `is the runner of ${name}`);
  });
});
