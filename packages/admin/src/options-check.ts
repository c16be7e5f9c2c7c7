import {
  callable,
  checkConfiguration,
  checkOf,
  cameIn,
  faultAt,
  having,
  optionsCheck,
  required,
  text,
} from '@tollgate/contract/configuration';
import type { AdminHandlerOptions } from './handler-options.ts';

const path = checkOf<string>((value, place) =>
  typeof value === 'string' && (value === '' || /^(?:\/[^/?#\s]+)+$/.test(value))
    ? []
    : faultAt(place, cameIn(value), "is a path such as '/admin', without a slash at its end, or ''"),
);

const headerName = text({ accepted: 'is the name of a header' });

const check = optionsCheck<AdminHandlerOptions>({
  authorize: required(callable()),
  basePath: path,
  requiredHeader: headerName,
  logger: having('info', 'warn', 'error'),
});

/** Refuses options that cannot be meant, before anything is served. */
export const checkHandlerOptions = (options: AdminHandlerOptions): void =>
  checkConfiguration('adminHandler', check, options);
