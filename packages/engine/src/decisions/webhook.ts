import type { EventType } from '@tollgate/contract';
import type { Key, SubscriptionsRecord, WebhookRecord, Write } from '@tollgate/storage';
import { storedEventTypes } from './stored-values.ts';
import {
  refuseUsage,
  usageChange,
  usageKey,
  usageOfWebhook,
  usageWrites,
  type QuotaRefusal,
  type Quotas,
} from './quotas.ts';
import { hooksOf, type Hook } from './outbox-event.ts';
import type { Step } from './step.ts';

export interface CreateWebhookCommand {
  readonly webhookId: string;
  readonly projectId: string;
  readonly url: string;
  readonly events: readonly EventType[];
  /** Sealed. */
  readonly secret: string;
  readonly quotas: Quotas;
}

export type ChangeWebhookCommand = { readonly webhookId: string; readonly projectId: string } & (
  | { readonly kind: 'set_enabled'; readonly enabled: boolean }
  | { readonly kind: 'disable' }
  /** The old secret goes on signing for a while; the new one is sealed. */
  | { readonly kind: 'rotate'; readonly secret: string; readonly overlapMs: number }
);

const webhookKeys = (command: { readonly webhookId: string; readonly projectId: string }): readonly Key[] => [
  { table: 'webhook', id: command.webhookId },
  { table: 'subscriptions', id: command.projectId },
  usageKey(command.projectId),
];

/** Webhooks that a project may have at once; each is written to the record that every ending operation reads. */
const webhooksPerProjectMax = 100;

const without = (hooks: readonly Hook[], id: string): readonly Hook[] => hooks.filter((hook) => hook.id !== id);

const putHooks = (projectId: string, hooks: readonly Hook[]): Write => {
  const record: SubscriptionsRecord = { id: projectId, hooks };
  return { kind: 'put', table: 'subscriptions', record };
};

export type CreateWebhookAnswer =
  | { readonly kind: 'created'; readonly webhook: WebhookRecord }
  | { readonly kind: 'too_many' }
  | { readonly kind: 'over_quota'; readonly refusal: QuotaRefusal };

// webhooks:event:since-creation
/** Registers a webhook for what happens from now on. */
export const createWebhookStep = (command: CreateWebhookCommand): Step<CreateWebhookAnswer> => ({
  keys: webhookKeys(command),
  decide: (records, nowMs) => {
    const own = records.get('webhook', command.webhookId);
    if (own !== undefined) return { writes: [], answer: { kind: 'created', webhook: own } };
    const hooks = hooksOf(records.get('subscriptions', command.projectId)?.hooks ?? []);
    if (hooks.length >= webhooksPerProjectMax) return { writes: [], answer: { kind: 'too_many' } };
    const webhook: WebhookRecord = {
      id: command.webhookId,
      projectId: command.projectId,
      url: command.url,
      events: command.events,
      status: 'enabled',
      secret: command.secret,
      previousSecret: null,
      previousUntilMs: null,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      disabledAtMs: null,
    };
    const change = usageOfWebhook(webhook);
    const refusal = refuseUsage(records.get('projectUsage', command.projectId), command.quotas, change);
    if (refusal !== null) return { writes: [], answer: { kind: 'over_quota', refusal } };
    return {
      writes: [
        ...usageWrites(records, command.projectId, change),
        { kind: 'put', table: 'webhook', record: webhook },
        putHooks(command.projectId, [...hooks, { id: webhook.id, events: command.events }]),
      ],
      answer: { kind: 'created', webhook },
    };
  },
});

const changed = (webhook: WebhookRecord, command: ChangeWebhookCommand, nowMs: number): WebhookRecord => {
  switch (command.kind) {
    case 'set_enabled':
      return { ...webhook, status: command.enabled ? 'enabled' : 'paused', updatedAtMs: nowMs };
    case 'disable':
      return { ...webhook, status: 'disabled', updatedAtMs: nowMs, disabledAtMs: nowMs };
    case 'rotate':
      return webhook.secret === command.secret
        ? webhook
        : {
            ...webhook,
            secret: command.secret,
            previousSecret: webhook.secret,
            previousUntilMs: nowMs + command.overlapMs,
            updatedAtMs: nowMs,
          };
  }
};

// webhooks:delete:final
/** Null where there is no such webhook, or it was deleted: that is final. */
export type ChangeWebhookAnswer = WebhookRecord | 'too_many' | null;

/** Changes a webhook of the project. */
export const changeWebhook = (command: ChangeWebhookCommand): Step<ChangeWebhookAnswer> => ({
  keys: webhookKeys(command),
  decide: (records, nowMs) => {
    const webhook = records.get('webhook', command.webhookId);
    if (webhook === undefined || webhook.projectId !== command.projectId || webhook.status === 'disabled')
      return { writes: [], answer: null };
    const next = changed(webhook, command, nowMs);
    const others = without(hooksOf(records.get('subscriptions', command.projectId)?.hooks ?? []), webhook.id);
    if (next.status === 'enabled' && others.length >= webhooksPerProjectMax) return { writes: [], answer: 'too_many' };
    const own: Hook = { id: webhook.id, events: storedEventTypes(webhook.events) };
    return {
      writes: [
        ...usageWrites(records, command.projectId, usageChange(usageOfWebhook(webhook), usageOfWebhook(next))),
        { kind: 'put', table: 'webhook', record: next },
        putHooks(command.projectId, next.status === 'enabled' ? [...others, own] : others),
      ],
      answer: next,
    };
  },
});
