import {
  nullable,
  number,
  oneOf,
  optionsCheck,
  required,
  text,
  timerMs,
  whole,
} from '@tollgate/contract/configuration';
import type { AccountRecord, ApiKeyRecord, IndexCursor, ProjectRecord } from '@tollgate/storage';
import { microsMax } from '../ledger/micros.ts';
import { quotasCheck } from '../ledger/quotas-check.ts';
import { accountCheck } from './accounts.ts';
import { argument, optionalArgument, type ArgumentCheck } from './argument-check.ts';
import type { CompensationInput, DepositInput } from './deposits.ts';
import { keyCheck } from './keys.ts';
import { microsCheck } from './micros-check.ts';
import {
  lastOperationCheck,
  noteCheck,
  operationQueryCheck,
  reconcileCheck,
  verdictCheck,
} from './operation-checks.ts';
import { projectCheck } from './projects.ts';

const referenceCharsMax = 200;

const id = (name: string): ArgumentCheck => argument(name, text());

const reference = text({
  charsMax: referenceCharsMax,
  accepted: `is a text of 1 to ${referenceCharsMax} characters, unique in the account`,
});

const depositCheck = optionsCheck<DepositInput>({
  accountId: required(text()),
  amountMicros: required(
    microsCheck(
      (value) => value > 0n && value <= microsMax,
      `, above 0 and at most ${microsMax} (1,000,000,000 credits)`,
    ),
  ),
  reference: required(reference),
});

const compensationCheck = optionsCheck<CompensationInput>({
  accountId: required(text()),
  amountMicros: required(
    microsCheck(
      (value) => value !== 0n && value <= microsMax && value >= -microsMax,
      `, not 0 and at most ${microsMax} (1,000,000,000 credits) either way`,
    ),
  ),
  reference: required(reference),
  operationId: text(),
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
  setAccountStatus: [
    id('accountId'),
    argument('status', oneOf<AccountRecord['status']>('active', 'inactive', 'blocked')),
  ],
  listAccounts: [page],
  readWallet: [id('accountId')],
  deposit: [argument('', depositCheck)],
  compensate: [argument('', compensationCheck)],
  settlePending: [id('accountId')],
  createProject: [argument('', projectCheck)],
  setProjectStatus: [
    id('projectId'),
    argument('status', oneOf<ProjectRecord['status']>('active', 'paused', 'blocked')),
  ],
  listProjects: [id('accountId'), page],
  readProjectQuotas: [id('projectId')],
  setProjectQuotas: [id('projectId'), argument('quotas', nullable(quotasCheck))],
  createKey: [argument('', keyCheck)],
  setKeyStatus: [id('keyId'), argument('status', oneOf<ApiKeyRecord['status']>('active', 'inactive', 'revoked'))],
  listKeys: [id('projectId'), page],
  readStatement: [id('accountId'), optionalArgument('beforeSeq', whole())],
  listOperations: [argument('', operationQueryCheck), optionalArgument('after', lastOperationCheck)],
  readOperation: [id('operationId')],
  listParts: [id('operationId')],
  readStoredAnswer: [id('operationId')],
  reconcile: [argument('', reconcileCheck)],
  resolveOperation: [id('operationId'), argument('verdict', verdictCheck), optionalArgument('note', noteCheck)],
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
  audit: [],
} as const satisfies Readonly<Record<string, readonly ArgumentCheck[]>>;
