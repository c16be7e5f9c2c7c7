import { isConfigurationError } from '@tollgate/contract/configuration';
import { describe, expect, test } from 'vitest';
import { createEngineWorld } from '../../test/engine-world.ts';
import type { Administration } from './administration.ts';
import { createWebhook } from '../webhooks/webhooks.ts';

/** The administration as plain JavaScript calls it. */
type Untyped = Readonly<Record<keyof Administration, (...given: readonly unknown[]) => Promise<unknown>>>;

const world = await createEngineWorld();
// What the types forbid is what these tests are about.
const admin = world.admin as unknown as Untyped;
const { accountId, projectId } = world;
const reference = 'r';
const amountMicros = 5n;
const name = { projectId, webhookId: 'w' };

test.each<[keyof Administration, readonly unknown[], string]>([
  ['createAccount', [], 'the object of options is missing'],
  [
    'createAccount',
    [{ name: 'x', nam: 'x' }],
    'nam is not known; accepted are name, plan, id, metadata and limits; the nearest is name',
  ],
  ['createProject', [{ accountId: 5, name: 'p' }], 'accountId is 5; accepted is a uuid in lower case'],
  ['createKey', [{ projectId, model: 5 }], 'model is 5; accepted is a text that is not empty, or null'],
  ['createAccount', [{ name: 'x', id: 'user_42' }], 'id is the text "user_42"; accepted is a uuid in lower case'],
  ['createProject', [{ accountId, name: 'x', id: 'P1' }], 'id is the text "P1"; accepted is a uuid in lower case'],
  ['setKeyStatus', ['user:42', 'inactive'], 'keyId is the text "user:42"; accepted is a uuid in lower case'],
  ['changeKey', ['user:42', { name: 'x' }], 'keyId is the text "user:42"; accepted is a uuid in lower case'],
  ['revokeToken', ['user:42'], 'tokenId is the text "user:42"; accepted is a uuid in lower case'],
  [
    'deposit',
    [{ accountId: 'user_42', reference, amountMicros }],
    'accountId is the text "user_42"; accepted is a uuid',
  ],
  ['compensate', [{ accountId: 'user_42', reference, amountMicros }], 'accountId is the text "user_42"'],
  ['setLowBalance', ['user_42', amountMicros], 'accountId is the text "user_42"; accepted is a uuid'],
  ['setProjectQuotas', ['p', null], 'projectId is the text "p"; accepted is a uuid'],
  ['createProject', [{ accountId: 'user_42', name: 'x' }], 'accountId is the text "user_42"; accepted is a uuid'],
  ['createKey', [{ projectId: 'p' }], 'projectId is the text "p"; accepted is a uuid'],
  ['createKeyOnce', [{ projectId: 'p', reference }], 'projectId is the text "p"; accepted is a uuid'],
  ['createToken', [{ keyId: 'user:42' }], 'keyId is the text "user:42"; accepted is a uuid'],
  ['setAccountStatus', ['user_42', 'blocked'], 'accountId is the text "user_42"; accepted is a uuid'],
  ['closeAccount', ['user_42'], 'accountId is the text "user_42"; accepted is a uuid'],
  ['setProjectStatus', ['p', 'blocked'], 'projectId is the text "p"; accepted is a uuid'],
  [
    'setAccountStatus',
    [accountId, 'block'],
    'status is the text "block"; accepted are active, inactive, blocked and closed',
  ],
  [
    'setKeyStatus',
    [projectId, 'revokd'],
    'status is the text "revokd"; accepted are active, inactive and revoked; the nearest is revoked',
  ],
  ['deposit', [], 'the object of options is missing'],
  [
    'deposit',
    [{ accountId, reference, amountMicros: 5 }],
    "amountMicros is the number 5; accepted is a bigint of micro-credits, as microsFromCredits('2.5') returns, above 0",
  ],
  ['deposit', [{ accountId, reference, amountMicros: '5' }], 'amountMicros is the text "5"; accepted is a bigint'],
  ['deposit', [{ accountId, reference, amountMicros: -5n }], 'amountMicros is -5; accepted is a bigint'],
  ['deposit', [{ accountId, amountMicros }], 'reference is missing; accepted is a text of 1 to 200 characters'],
  ['compensate', [{ accountId, reference, amountMicros: 0 }], 'amountMicros is the number 0; accepted is a bigint'],
  ['settlePending', [], 'accountId is missing'],
  ['readStatement', [{ accountId }], 'accountId is an object; accepted is a text'],
  ['readStatement', [accountId, '5'], 'beforeSeq is the text "5"; accepted is a whole number'],
  ['listAccounts', [{ order: '5', id: 'a' }], 'after.order is the text "5"; accepted is a number'],
  ['setProjectQuotas', [projectId, { fileMax: 5 }], 'quotas.fileMax is not known; accepted are keptBytesMax, filesMax'],
  ['setProjectQuotas', [projectId], 'quotas is missing'],
  ['listOperations', [], "the query is missing; accepted is an object such as { kind: 'account', accountId }"],
  ['listOperations', [{ kind: 'stat' }], 'kind is the text "stat"; accepted are account, project and state'],
  ['listOperations', [{ kind: 'state', state: 'foo' }], 'state is the text "foo"; accepted are preparing, reserved'],
  ['listOperations', [{ kind: 'account', accountId }, 'x'], 'after is the text "x"; accepted is the last operation'],
  ['readOperation', [], 'operationId is missing'],
  [
    'changeAccount',
    [accountId, { nme: 'x' }],
    'nme is not known; accepted are name, plan, metadata, limits and status; the nearest is name',
  ],
  ['changeAccount', [accountId, { metadata: { a: 5 } }], "metadata has a member that is none of these, 'a'"],
  [
    'changeAccount',
    [accountId, { metadata: JSON.parse('{"a":"b","__proto__":"c"}') }],
    "metadata has a member that is none of these, '__proto__'",
  ],
  ['changeProject', [projectId, { metadata: [] }], 'metadata is a list of 0 entries; accepted is an object'],
  ['findAccounts', [{ limit: 101 }], 'limit is 101; accepted is a whole number from 1 to 100'],
  ['findKeys', [{}], 'projectId is missing'],
  ['findKeys', [{ reference: 'user:42' }], 'projectId is missing'],
  ['findKeys', [{ projectId, reference: '' }], 'reference is the text ""; accepted is a text of 1 to 200 characters'],
  ['findOperations', [{ model: 'm' }], 'the search names none of these; accepted names accountId, projectId'],
  ['findOperations', [{ state: 'done' }], 'state is the text "done"; accepted are preparing, reserved'],
  ['findDeliveries', [{ status: 'dead' }], 'status is the text "dead"; accepted are pending, delivered, failed'],
  ['setScheduleEnabled', [{ projectId, triggerId: 't' }, 'yes'], 'enabled is the text "yes"'],
  ['resolveOperation', ['o', {}], 'verdict.executed is missing; accepted is true or false'],
  ['resolveOperation', ['o', { executed: true, amountMicros: 5 }], 'verdict.amountMicros is the number 5'],
  [
    'resolveOperation',
    ['o', { executed: true, usage: 'all' }],
    'verdict.usage is the text "all"; accepted is at_least',
  ],
  ['resolveOperation', ['o', { executed: false }, { By: 'a' }], 'note.By is not known'],
  ['reconcile', [{}], 'rows is missing; accepted is a list'],
  ['redeliver', [{ webhookId: 'w' }], 'deliveryId is missing'],
  ['rotateWebhookSecret', [name, { overlapMs: -1 }], 'overlapMs is -1; accepted is a whole number of milliseconds'],
  ['rotateWebhookSecret', [name, { overlapMs: '5' }], 'overlapMs is the text "5"; accepted is a whole number'],
  ['rotateWebhookSecret', [name, { overlap: 5 }], 'overlap is not known; accepted is overlapMs'],
])('%s refuses an argument that cannot be meant, by its name (%#)', async (method, given, what) => {
  const refused: unknown = await admin[method](...given).catch((error: unknown) => error);
  expect(isConfigurationError(refused)).toBe(true);
  expect(String(refused)).toContain(`ConfigurationError: ${method}: ${what}`);
});

describe('what an administration returns of a webhook', () => {
  test('has the one secret that is shown, and none beside it', async () => {
    const input = { projectId, url: 'https://a.example/', events: ['request.completed'] as const };
    const created = await createWebhook(world.engine, input);
    if (created.kind !== 'created') throw new Error('there is room for a webhook');
    const rotated = await world.admin.rotateWebhookSecret({ projectId, webhookId: created.webhook.id });
    for (const given of [created, rotated]) {
      expect(given?.webhook).not.toHaveProperty('secret');
      expect(given?.webhook).not.toHaveProperty('previousSecret');
    }
    expect(rotated).toMatchObject({ webhook: { id: created.webhook.id }, secret: expect.stringMatching(/^whsec_/) });
    const { previousUntilMs = 0 } = rotated?.webhook ?? {};
    expect((previousUntilMs ?? 0) - world.clock.now()).toBe(24 * 3_600_000);
  });
});
