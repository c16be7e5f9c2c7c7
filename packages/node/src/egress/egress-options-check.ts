import {
  callable,
  foreign,
  list,
  oneOf,
  optionsCheck,
  text,
  timerMs,
  type OptionChecks,
} from '@tollgate/contract/configuration';
import type { EgressAgents } from './exchange.ts';
import type { EgressOptions } from './guarded-request.ts';

/** What every way out to addresses of clients and models can be given. */
export const egressChecks: OptionChecks<EgressOptions> = {
  schemes: list(oneOf('http', 'https'), { entriesMin: 1 }),
  resolve: callable(),
  agents: optionsCheck<EgressAgents>({ http: foreign(), https: foreign() }),
  connect: callable(),
  idleMs: timerMs(),
  certificates: text({ accepted: 'is a text with certificates in PEM' }),
};
