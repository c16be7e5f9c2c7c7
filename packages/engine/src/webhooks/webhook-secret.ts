import type { WebhookRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';

const secretBytes = 32;

/** A secret for signing, as it is shown once and as it is kept: sealed for this webhook and no other. */
export interface WebhookSecret {
  readonly shown: string;
  readonly sealed: string;
}

export const createWebhookSecret = (
  { randomBytes, webhookSeal }: Pick<Engine, 'randomBytes' | 'webhookSeal'>,
  webhookId: string,
): WebhookSecret => {
  if (webhookSeal === null) throw new Error('An engine without secrets keeps no webhook: give it `secrets`');
  const shown = `whsec_${Buffer.from(randomBytes(secretBytes)).toString('base64url')}`;
  return { shown, sealed: webhookSeal.seal(shown, webhookId) };
};

type Secrets = Pick<WebhookRecord, 'id' | 'secret' | 'previousSecret' | 'previousUntilMs'>;

const openOne = (
  { webhookSeal, logger }: Pick<Engine, 'webhookSeal' | 'logger'>,
  webhookId: string,
  sealed: string,
): string | null => {
  try {
    return webhookSeal?.open(sealed, webhookId) ?? null;
  } catch (cause) {
    logger.error('the secret of a webhook cannot be opened: it was sealed with a contextSecret that is not given', {
      webhookId,
      cause,
    });
    return null;
  }
};

/**
 * The secrets that sign for a webhook now: its own, and the one before it as long as that overlaps. Null where its own cannot be
 * opened, which is logged: then nothing can be signed. An older one that cannot be opened is logged and left out.
 */
export const openWebhookSecrets = (engine: Engine, webhook: Secrets, nowMs: number): readonly string[] | null => {
  const { id, secret, previousSecret, previousUntilMs } = webhook;
  const current = openOne(engine, id, secret);
  if (current === null) return null;
  const isOverlapping = previousSecret !== null && (previousUntilMs ?? 0) > nowMs;
  const previous = isOverlapping ? openOne(engine, id, previousSecret) : null;
  return previous === null ? [current] : [current, previous];
};
