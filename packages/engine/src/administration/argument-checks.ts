import {
  flag,
  nullable,
  number,
  oneOf,
  optionsCheck,
  required,
  text,
  timerMs,
  whole,
} from '@tollgate/contract/configuration';
import type { ApiKeyRecord, IndexCursor } from '@tollgate/storage';
import type { Shortfall } from '../decisions/funds.ts';
import { microsMax } from '../ledger/micros.ts';
import { quotasCheck } from '../ledger/quotas-check.ts';
import { accountChangeCheck, accountCheck, accountStatusCheck } from './accounts.ts';
import { argument, optionalArgument, type ArgumentCheck } from './argument-check.ts';
import { idCheck } from './id-check.ts';
import type { CompensationInput, DepositInput } from './deposits.ts';
import { keyChangeCheck, keyCheck, referredKeyCheck } from './key-checks.ts';
import { microsCheck } from './micros-check.ts';
import {
  lastOperationCheck,
  noteCheck,
  operationQueryCheck,
  reconcileCheck,
  verdictCheck,
} from './operation-checks.ts';
import { priceUsageCheck } from './price-usage.ts';
import { projectChangeCheck, projectCheck, projectStatusCheck } from './projects.ts';
import {
  anomalyQueryCheck,
  deliveryQueryCheck,
  identityNameCheck,
  keyQueryCheck,
  operationSearchCheck,
  projectQueryCheck,
  scheduleNameCheck,
  scheduleQueryCheck,
  searchCheck,
  statementQueryCheck,
  statementRangeCheck,
} from './query-checks.ts';
import { tokenCheck } from './tokens.ts';
import { usageQueryCheck, usageRangeCheck } from './usage-query.ts';

const referenceCharsMax = 200;

const id = (name: string): ArgumentCheck => argument(name, text());

/** Of what is changed: null for an id that is none would read as if there were nothing to switch off. */
const changedId = (name: string): ArgumentCheck => argument(name, idCheck);

const reference = text({
  charsMax: referenceCharsMax,
  accepted: `is a text of 1 to ${referenceCharsMax} characters, unique in the account`,
});

const depositCheck = optionsCheck<DepositInput>({
  accountId: required(idCheck),
  amountMicros: required(
    microsCheck(
      (value) => value > 0n && value <= microsMax,
      `, above 0 and at most ${microsMax} (1,000,000,000 credits)`,
    ),
  ),
  reference: required(reference),
});

const compensationCheck = optionsCheck<CompensationInput>({
  accountId: required(idCheck),
  amountMicros: required(
    microsCheck(
      (value) => value !== 0n && value <= microsMax && value >= -microsMax,
      `, not 0 and at most ${microsMax} (1,000,000,000 credits) either way`,
    ),
  ),
  reference: required(reference),
  operationId: text(),
  shortfall: oneOf<Shortfall>('refuse', 'owe', 'forgive'),
});

interface WebhookName {
  readonly projectId: string;
  readonly webhookId: string;
}

const webhookName = optionsCheck<WebhookName>({ projectId: required(text()), webhookId: required(text()) });

const page = optionalArgument('after', optionsCheck<IndexCursor>({ order: required(number()), id: required(text()) }));

/** What the methods of the administration accept, argument by argument. */
export const argumentChecks = {
  createAccount: [argument('', accountCheck)],
  setAccountStatus: [changedId('accountId'), argument('status', accountStatusCheck)],
  changeAccount: [changedId('accountId'), argument('', accountChangeCheck)],
  closeAccount: [changedId('accountId')],
  readAccount: [id('accountId')],
  findAccounts: [optionalArgument('', searchCheck)],
  listAccounts: [page],
  readWallet: [id('accountId')],
  setLowBalance: [
    changedId('accountId'),
    argument(
      'lowBalanceMicros',
      nullable(microsCheck((value) => value > 0n && value <= microsMax, `, above 0 and at most ${microsMax}, or null`)),
    ),
  ],
  deposit: [argument('', depositCheck)],
  compensate: [argument('', compensationCheck)],
  settlePending: [id('accountId')],
  createProject: [argument('', projectCheck)],
  setProjectStatus: [changedId('projectId'), argument('status', projectStatusCheck)],
  closeProject: [changedId('projectId')],
  changeProject: [changedId('projectId'), argument('', projectChangeCheck)],
  readProject: [id('projectId')],
  findProjects: [optionalArgument('', projectQueryCheck)],
  listProjects: [id('accountId'), page],
  readProjectQuotas: [id('projectId')],
  setProjectQuotas: [changedId('projectId'), argument('quotas', nullable(quotasCheck))],
  createKey: [argument('', keyCheck)],
  createKeyOnce: [argument('', referredKeyCheck)],
  setKeyStatus: [
    changedId('keyId'),
    argument('status', oneOf<ApiKeyRecord['status']>('active', 'inactive', 'revoked')),
  ],
  changeKey: [changedId('keyId'), argument('', keyChangeCheck)],
  readKey: [id('keyId')],
  findKeys: [argument('', keyQueryCheck)],
  listKeys: [id('projectId'), page],
  createToken: [argument('', tokenCheck)],
  readToken: [id('tokenId')],
  revokeToken: [changedId('tokenId')],
  readStatement: [id('accountId'), optionalArgument('beforeSeq', whole())],
  listOperations: [argument('', operationQueryCheck), optionalArgument('after', lastOperationCheck)],
  findStatement: [argument('', statementQueryCheck)],
  statementCsv: [argument('', statementRangeCheck)],
  findOperations: [argument('', operationSearchCheck)],
  findOperationByIdentity: [argument('', identityNameCheck)],
  readOperationLife: [id('operationId')],
  readOperation: [id('operationId')],
  listParts: [id('operationId')],
  readStoredAnswer: [id('operationId')],
  reconcile: [argument('', reconcileCheck)],
  resolveOperation: [id('operationId'), argument('verdict', verdictCheck), optionalArgument('note', noteCheck)],
  previewVerdict: [id('operationId'), argument('verdict', verdictCheck)],
  findAnomalies: [optionalArgument('', anomalyQueryCheck)],
  findDeliveries: [optionalArgument('', deliveryQueryCheck)],
  readDelivery: [id('deliveryId')],
  findSchedules: [optionalArgument('', scheduleQueryCheck)],
  readSchedule: [id('triggerId')],
  listScheduleRuns: [id('triggerId')],
  setScheduleEnabled: [argument('', scheduleNameCheck), argument('enabled', flag())],
  listWebhooks: [id('projectId')],
  readWebhook: [id('webhookId')],
  redeliver: [
    argument(
      '',
      optionsCheck<{ readonly webhookId: string; readonly deliveryId: string }>({
        webhookId: required(text()),
        deliveryId: required(text()),
      }),
    ),
  ],
  sendTestEvent: [argument('', webhookName)],
  rotateWebhookSecret: [
    argument('', webhookName),
    optionalArgument('', optionsCheck<{ readonly overlapMs?: number }>({ overlapMs: timerMs() })),
  ],
  usage: [argument('', usageQueryCheck)],
  usageCsv: [argument('', usageRangeCheck)],
  priceUsage: [argument('', priceUsageCheck)],
  audit: [],
} as const satisfies Readonly<Record<string, readonly ArgumentCheck[]>>;
