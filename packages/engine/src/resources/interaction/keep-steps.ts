import { oneChunk } from '@tollgate/storage';
import type { BlobPart, MediaPart, Step, StepContent } from '@tollgate/provider';
import type { Engine } from '../../engine.ts';
import { storePendingBlob } from '../../operations/pending-blobs.ts';
import { keepMedium } from '../keep-media.ts';
import type { MadeMedium, StoredContent, StoredStep } from './stored-step.ts';

/** Where the media of an interaction go. */
export interface StepShelf {
  readonly engine: Engine;
  readonly folder: string;
  readonly keptMs: number;
  readonly signal: AbortSignal;
  /** The index of the next medium. */
  index: number;
}

const storeMedium = async (
  { engine, folder, keptMs, signal }: StepShelf,
  part: MediaPart | BlobPart,
): Promise<{ readonly blobKey: string; readonly sizeBytes: number }> => {
  if (part.kind === 'blob') return keepMedium(engine, folder, { ...part, reference: null }, signal);
  const blobKey = `${folder}/${engine.newId()}`;
  const bytes = Buffer.from(part.data, 'base64');
  return { blobKey, sizeBytes: await storePendingBlob(engine, blobKey, oneChunk(bytes), keptMs) };
};

/** Puts a medium that a model made into the blob store; it has no owner until the interaction is closed. */
export const keepMade = async (shelf: StepShelf, part: MediaPart | BlobPart): Promise<MadeMedium> => {
  const { mimeType, context } = part;
  const { blobKey, sizeBytes } = await storeMedium(shelf, part);
  const { index } = shelf;
  shelf.index += 1;
  return {
    kind: 'made',
    index,
    mimeType,
    sizeBytes,
    blobKey,
    ...(context === undefined ? {} : { context }),
  };
};

const keepContent = (shelf: StepShelf, content: StepContent): StoredContent | Promise<MadeMedium> =>
  content.kind === 'text' ? content : keepMade(shelf, content);

/** Steps as a provider told them, their media put aside. What came in is known already, and left out. */
export const keepSteps = async (shelf: StepShelf, steps: readonly Step[]): Promise<readonly StoredStep[]> => {
  const kept: StoredStep[] = [];
  for (const step of steps) {
    if (step.kind === 'user_input') continue;
    if (step.kind !== 'model_output') {
      kept.push(step);
      continue;
    }
    const content: StoredContent[] = [];
    for (const each of step.content) content.push(await keepContent(shelf, each));
    kept.push({ kind: 'model_output', content });
  }
  return kept;
};
