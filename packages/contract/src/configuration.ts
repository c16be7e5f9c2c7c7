export {
  ConfigurationError,
  isConfigurationError,
  type ConfigurationFault,
} from './configuration/configuration-error.ts';
export { missingPackage, MissingPackageError } from './configuration/missing-package.ts';
export { openingError } from './configuration/opening-error.ts';
export {
  also,
  checkOf,
  faultAt,
  nullable,
  required,
  type OptionCheck,
  type OptionChecks,
} from './configuration/option-check.ts';
export {
  checkConfiguration,
  implementation,
  list,
  optionsCheck,
  table,
  tableOf,
  type ListRule,
} from './configuration/options-check.ts';
export { entryPlace, indexPlace, memberPlace } from './configuration/place.ts';
export { cameIn } from './configuration/shown-value.ts';
export {
  acceptedWords,
  byKind,
  callable,
  credential,
  flag,
  foreign,
  having,
  isDatabaseAddress,
  isWebOrigin,
  number,
  oneOf,
  text,
  timerMs,
  timerMsMax,
  webAddress,
  whole,
} from './configuration/value-checks.ts';
