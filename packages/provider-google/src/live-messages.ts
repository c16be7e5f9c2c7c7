import { asObject, type JsonObject, type LiveMessage, type UntrustedObject } from '@tollgate/provider';

// live:server:withheld
/** What of an upstream's message is for the client; everything else is the upstream's own business. */
const relayed: ReadonlySet<string> = new Set([
  'serverContent',
  'toolCall',
  'toolCallCancellation',
  'filteredPrompt',
  'voiceActivity',
]);

/** The part of a message that the client gets, or null where there is none. A message that is all of it keeps its text. */
export const toClient = (message: UntrustedObject, text: string): LiveMessage | null => {
  const names = Object.keys(message);
  const kept = names.filter((name) => relayed.has(name));
  if (kept.length === 0) return null;
  if (kept.length === names.length) return { body: message, text };
  const body = Object.fromEntries(kept.map((name) => [name, message[name]]));
  return { body, text: JSON.stringify(body) };
};

/** Whether the model responds to a message without anything more. */
export const beginsTurn = ({ body }: LiveMessage): boolean => {
  const content = asObject(body['clientContent']);
  const input = asObject(body['realtimeInput']);
  return (
    content?.['turnComplete'] === true ||
    input?.['text'] !== undefined ||
    input?.['activityEnd'] !== undefined ||
    body['toolResponse'] !== undefined
  );
};

/** The first message of a connection. */
export const setupMessage = (
  model: string,
  config: JsonObject,
  resumption: { readonly handle?: string } | null,
): JsonObject => ({
  setup: { model, ...config, ...(resumption === null ? {} : { sessionResumption: resumption }) },
});
