import type { NotExecuted, ProjectFile, ProviderFiles, UpstreamFileState } from '@tollgate/provider';
import type { FileRecord } from '@tollgate/storage';
import { createFile } from '../src/files/create-file.ts';
import { mediaBlobKey } from '../src/files/file-blob-key.ts';
import { storePendingBlob } from '../src/operations/pending-blobs.ts';
import type { EngineOptions } from '../src/engine.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';

/** What the provider does with the next question about a file; when the script ends, it says `active`. */
export type CopyStep = UpstreamFileState | NotExecuted | Error | Promise<UpstreamFileState>;

export interface FileWorld extends EngineWorld {
  /** `upload f1`, `state f1`, `remove f1 note`, in the order asked. */
  readonly asked: string[];
  readonly script: (...steps: readonly CopyStep[]) => void;
  /** Uploads the text as a file; `copied` names the provider that wants a copy. */
  readonly upload: (more?: { readonly text?: string; readonly copied?: boolean }) => Promise<FileRecord>;
  readonly file: (id: string) => Promise<FileRecord | undefined>;
  readonly bytes: (id: string) => Promise<string | undefined>;
  readonly pending: () => Promise<number>;
}

const inChunks = async function* (text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text.slice(0, 2)));
  yield Buffer.from(text.slice(2));
};

const readText = async (file: ProjectFile): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.read()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const scriptedCopies = (steps: CopyStep[], asked: string[]): ProviderFiles => {
  const next = async (): Promise<UpstreamFileState> => {
    const step = await (steps.shift() ?? 'active');
    if (typeof step !== 'string') throw step;
    return step;
  };
  return {
    upload: async (file) => {
      asked.push(`upload ${file.displayName} ${await readText(file)}`);
      const state = await next();
      await file.keepReference(`copy of ${file.displayName}`);
      return state;
    },
    state: (file) => {
      asked.push(`state ${file.displayName} ${file.reference}`);
      return next();
    },
    remove: async (file) => {
      asked.push(`remove ${file.displayName} ${file.reference}`);
      if (steps.length > 0) await next();
    },
  };
};

/** An engine world in which the provider `copier` wants copies of files. */
export const createFileWorld = async (options: Partial<EngineOptions> = {}): Promise<FileWorld> => {
  const asked: string[] = [];
  const steps: CopyStep[] = [];
  const copies = scriptedCopies(steps, asked);
  const fileCopies = (provider: string): ProviderFiles | null => (provider === 'copier' ? copies : null);
  const world = await createEngineWorld(100n, { fileCopies, ...options });
  const { engine, storage, accountId, projectId, keyId } = world;
  const upload: FileWorld['upload'] = async ({ text = 'hello', copied = false } = {}) => {
    const blobKey = mediaBlobKey(engine.newId());
    const sizeBytes = await storePendingBlob(engine, blobKey, inChunks(text));
    const created = await createFile(engine, {
      access: { accountId, projectId, keyId },
      blobKey,
      displayName: 'f1',
      mimeType: 'text/plain',
      sizeBytes,
      sha256: 'hash',
      provider: copied ? 'copier' : 'other',
      model: 'model',
    });
    if (created.kind !== 'created') throw new Error(`the file is ${created.kind}`);
    return created.file;
  };
  return Object.assign(world, {
    asked,
    script: (...more: readonly CopyStep[]) => void steps.push(...more),
    upload,
    file: async (id: string) => (await storage.read([{ table: 'file', id }])).get('file', id),
    bytes: async (id: string) => {
      const bytes = await storage.blobs.get(mediaBlobKey(id));
      return bytes && Buffer.from(bytes).toString();
    },
    pending: async () => (await storage.claim({ table: 'pendingBlob', owner: 'test', leaseMs: 0, limit: 100 })).length,
  });
};
