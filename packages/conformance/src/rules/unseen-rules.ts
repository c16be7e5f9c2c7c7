import type { RuleId } from './rules.ts';

const operator = 'needs an operator, who switches keys, projects, accounts, prices or options while the case runs';
const poor = 'needs an account of which the operator knows the balance';
const clock = 'takes longer than a run';
const inside = 'is about the inside of a gateway: no response shows it';
const library = 'is about the packages of this project, and not about a gateway';
const client = 'is about a client library';
const upstream = 'needs an upstream that can do more than obey the directives';

const ofReason = (reason: string, ids: readonly RuleId[]): readonly (readonly [RuleId, string])[] =>
  ids.map((id) => [id, reason] as const);

const reasons: ReadonlyMap<RuleId, string> = new Map([
  ...ofReason(operator, [
    'batches:tariff:separate',
    'catalog:ids:host-replaceable',
    'catalog:ids:list',
    'chat:part:input-audio-capability',
    'chat:request:allow-list-option',
    'errors:code:access-or-service-unavailable',
    'ledger:precheck:missing-tariff',
    'limits:rate:429',
    'limits:rate:none-by-default',
    'limits:rate:unregistered',
    'models:record:recommended',
    'models:use:unavailable',
    'requests:move:uncertain-resolved',
    'triggers:run:prevented',
    'triggers:run:refusal-recorded',
  ]),
  ...ofReason(poor, [
    'caches:patch:insufficient',
    'ledger:concurrency:no-overdraft',
    'ledger:overrun:first-answer',
    'ledger:overrun:free-balance-only',
    'ledger:overrun:keeps-result',
    'ledger:overrun:resolves',
    'ledger:overrun:uncertain',
    'ledger:wallet:shared',
    'live:close:insufficient',
    'live:reservation:renewed',
  ]),
  ...ofReason(clock, [
    'environments:states:idle-expiry',
    'files:move:active-expired',
    'idempotency:replay:purged',
    'idempotency:retention',
    'limits:retention:batches',
    'limits:retention:history-rows',
    'limits:retention:interactions',
    'limits:retention:media',
    'limits:retention:requests',
    'triggers:run:missed-not-recovered',
    'triggers:run:requires-action',
    'triggers:run:retries-reuse-identity',
    'triggers:run:skipped-when-pending',
    'triggers:events:normal',
    'webhooks:delivery:eight-attempts',
    'webhooks:delivery:spacing',
    'webhooks:delivery:to-failed',
  ]),
  ...ofReason(inside, [
    'errors:status:499',
    'ledger:concurrency:single-settlement',
    'ledger:numbers:micro',
    'requests:move:accepted-preparing',
    'requests:move:no-others',
    'requests:move:preparing-reserved',
    'requests:move:processing-settling',
    'requests:move:reserved-aborted',
    'requests:move:settling-uncertain',
    'resources:cancel:before-start',
    'webhooks:delivery:recheck-address',
  ]),
  ...ofReason(library, [
    'limits:table',
    'stream:sse:decoder-split',
    'webhooks:verify:constant-time',
    'webhooks:verify:id-match',
    'webhooks:verify:raw-body',
    'webhooks:verify:receiver-dedupe',
    'webhooks:verify:tolerance',
  ]),
  ...ofReason(client, ['chat:compat:ai-sdk', 'chat:compat:openai-sdk', 'stream:generate:genai-client']),
  ...ofReason(upstream, [
    'caches:body:minimum-size',
    'chat:message:context-fallback',
    'documents:index:search-after-completion',
    'embeddings:body:content-flags',
    'embeddings:body:model-dimensions',
    'files:move:processing-failed',
    'interactions:output:step-names',
    'interactions:previous:not-inherited',
    'ledger:hold:multi-hop',
    'resources:cancel:unknown-usage',
  ]),
]);

/** Why a rule cannot be seen from outside; undefined where it can. */
export const unseenReason = (id: RuleId): string | undefined => reasons.get(id);
