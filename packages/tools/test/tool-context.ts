import type { EnvironmentFiles, ToolContext } from '@tollgate/engine';

/** An environment that lies in memory. */
export interface MemoryEnvironment {
  readonly files: Map<string, string>;
  readonly environmentFiles: EnvironmentFiles;
}

/** Takes changes as the gateway does, or refuses them as a test wants it to. */
export const memoryEnvironment = (
  id: string,
  content: Readonly<Record<string, string>>,
  answer: Awaited<ReturnType<EnvironmentFiles['change']>> = 'changed',
): MemoryEnvironment => {
  const files = new Map(Object.entries(content));
  return {
    files,
    environmentFiles: {
      list: async (asked) =>
        asked === id
          ? Array.from(files, ([path, text]) => ({
              path,
              blobKey: `blobs/${path}`,
              sizeBytes: Buffer.byteLength(text),
              mimeType: 'text/plain',
              sha256: '',
              createdAtMs: 0,
              modifiedAtMs: 0,
            }))
          : null,
      async *read({ path }) {
        yield await Promise.resolve(Buffer.from(files.get(path) ?? ''));
      },
      change: async (_, { put, remove }) => {
        if (answer !== 'changed') return answer;
        for (const { path, bytes } of put) files.set(path, Buffer.from(bytes).toString());
        for (const path of remove) files.delete(path);
        return answer;
      },
    },
  };
};

const nowhere = memoryEnvironment('none', {}).environmentFiles;

/** What a tool gets of an interaction without an environment, unless a test says otherwise. */
export const toolContext = (parts: Partial<ToolContext> = {}): ToolContext => ({
  operationId: 'operation',
  projectId: 'project',
  accountId: 'account',
  keyId: 'key',
  model: 'flash-2.5',
  environmentId: null,
  environmentFiles: nowhere,
  mayAsk: () => Promise.resolve({ kind: 'allowed', headers: {} }),
  signal: new AbortController().signal,
  ...parts,
});
