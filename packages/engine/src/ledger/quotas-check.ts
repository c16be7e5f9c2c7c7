import { ConfigurationError, nullable, optionsCheck, whole, type OptionCheck } from '@tollgate/contract/configuration';
import type { Quotas } from '../decisions/quotas.ts';

const limit = nullable(whole());

/** Every limit is a whole number or null. */
export const quotasCheck: OptionCheck<Partial<Quotas>> = optionsCheck<Partial<Quotas>>({
  keptBytesMax: limit,
  filesMax: limit,
  environmentsMax: limit,
  agentsMax: limit,
  storesMax: limit,
  documentsMax: limit,
  triggersMax: limit,
  webhooksMax: limit,
  batchesUnderWayMax: limit,
  videosUnderWayMax: limit,
});

/** Throws where a limit is none, or there is no such quota. */
export const checkQuotas = (quotas: Partial<Quotas>): Partial<Quotas> => {
  const faults = quotasCheck.faultsOf(quotas, 'quotas');
  if (faults.length > 0) throw new ConfigurationError('quotas', faults);
  return quotas;
};
