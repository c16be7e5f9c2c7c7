import type { Agent } from 'node:https';
import type { Gateway, GatewayOptions } from 'tollgate';

// #region options
/** Events are sent through agents of the host, and an attempt may take five seconds. */
export const throughProxy = (proxy: Agent): GatewayOptions => ({
  webhooks: { agents: { https: proxy }, attemptMs: 5_000 },
});
// #endregion options

// #region administration
/** Tests a receiver, repeats the deliveries that it lost, and gives it another secret; the old one also signs for a day. */
export const careForWebhook = async (
  { admin }: Gateway,
  name: { readonly projectId: string; readonly webhookId: string },
): Promise<string | null> => {
  const tried = await admin.sendTestEvent(name);
  if (tried !== null) await admin.redeliver({ webhookId: name.webhookId, deliveryId: tried.id });
  const rotated = await admin.rotateWebhookSecret(name, { overlapMs: 24 * 3_600_000 });
  return rotated?.secret ?? null;
};
// #endregion administration
