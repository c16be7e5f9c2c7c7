import type { TriggerRecord } from '@tollgate/storage';
import { interactionOf, triggerBlobKey, type TriggerInteraction } from '../decisions/trigger-interaction.ts';
import type { Engine } from '../engine.ts';
import { storePendingBlob } from '../operations/pending-blobs.ts';

/** What a record holds at the most; a round of the sweep claims a hundred of them at once. */
const inlineCharsMax = 16_384;

async function* once(text: string): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(text));
}

/** Puts a sealed interaction aside for a schedule that is about to be created. */
export const storeInteraction = async (
  engine: Engine,
  triggerId: string,
  sealed: string,
): Promise<TriggerInteraction['whole']> => {
  if (sealed.length <= inlineCharsMax) return { kind: 'inline', sealed };
  await storePendingBlob(engine, triggerBlobKey(triggerId), once(sealed));
  return { kind: 'blob', sizeBytes: Buffer.byteLength(sealed) };
};

/** The sealed interaction of a schedule; null once it was deleted and its time is over. */
export const readInteraction = async (engine: Engine, trigger: TriggerRecord): Promise<string | null> => {
  const { whole } = interactionOf(trigger);
  if (whole.kind === 'inline') return whole.sealed;
  const bytes = await engine.storage.blobs.get(triggerBlobKey(trigger.id));
  return bytes === undefined ? null : Buffer.from(bytes).toString('utf8');
};
