import {
  GatewayError,
  isRecord,
  parseInteractionRequest,
  triggerBounds,
  type InteractionRequest,
  type JsonRecord,
} from '@tollgate/contract';
import { readInteraction, storeInteraction, type TriggerInteraction } from '@tollgate/engine';
import type { TriggerRecord } from '@tollgate/storage';
import type { Service } from '../service.ts';

const hidden = '***';

const shownTool = (tool: unknown): unknown => {
  if (!isRecord(tool) || !isRecord(tool['headers'])) return tool;
  return { ...tool, headers: Object.fromEntries(Object.keys(tool['headers']).map((name) => [name, hidden])) };
};

const shownItem = (item: unknown): unknown =>
  isRecord(item) && typeof item['data'] === 'string' ? { ...item, data: hidden } : item;

const mapped = (value: unknown, map: (entry: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(map) : value;

// triggers:get:redacted
/** The interaction as it was sent, but for what only a server of tools may see, and for media. */
const shownInteraction = (sent: JsonRecord): JsonRecord => ({
  ...sent,
  ...('input' in sent ? { input: mapped(sent['input'], shownItem) } : {}),
  ...('tools' in sent ? { tools: mapped(sent['tools'], shownTool) } : {}),
});

/** Puts a checked interaction aside for a trigger that is about to be created: sealed, with what may be read beside it. */
export const keepInteraction = async (
  { engine, interactions }: Service,
  triggerId: string,
  sent: JsonRecord,
): Promise<TriggerInteraction> => {
  const shown = shownInteraction(sent);
  if (Buffer.byteLength(JSON.stringify(shown)) > triggerBounds.shownBytesMax)
    throw new GatewayError('input_limit', {
      detail: `The field interaction must hold at most ${triggerBounds.shownBytesMax} bytes beside its media.`,
    });
  return { shown, whole: await storeInteraction(engine, triggerId, interactions.seal.seal(JSON.stringify(sent))) };
};

/** The interaction that a trigger opens, or null where it is gone. */
export const keptInteraction = async (
  { engine, interactions }: Service,
  trigger: TriggerRecord,
): Promise<InteractionRequest | null> => {
  const sealed = await readInteraction(engine, trigger);
  return sealed === null ? null : parseInteractionRequest(JSON.parse(interactions.seal.open(sealed)));
};
