import { createHash } from 'node:crypto';
import type { CallContext, ProjectFile, ProviderFiles, UpstreamFileState } from '@tollgate/provider';
import { conduct, type SandboxWorld } from './conduct.ts';
import { parseDirectives } from './directives.ts';

/** What the sandbox notes of a file: how often its state was asked for. */
const noteOf = (queries: number): string => `queries ${queries}`;

const queriesOf = (reference: string | null): number => Number(/^queries (\d+)$/.exec(reference ?? '')?.[1] ?? '0');

/** How far a file is that was asked for so often, as its display name says. */
const stateAfter = (file: ProjectFile, queries: number): UpstreamFileState => {
  const directives = parseDirectives(file.displayName, 'file');
  const processing = directives.find((directive) => directive.kind === 'processing');
  if (processing !== undefined && queries <= processing.queries) return 'processing';
  return directives.some(({ kind }) => kind === 'file-fail') ? 'failed' : 'active';
};

/** Reads the whole file, as an upstream that takes a copy does; false where it is not the file that was announced. */
const readsAsAnnounced = async (file: ProjectFile): Promise<boolean> => {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of file.read()) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return sizeBytes === file.sizeBytes && hash.digest('hex') === file.sha256;
};

/**
 * Files of the sandbox: active at once, unless the display name says otherwise. How often a state was asked for lies in the
 * note, so that it counts on in any process. The bytes are read and not kept.
 */
export const sandboxFiles = (world: SandboxWorld): ProviderFiles => ({
  upload: (file: ProjectFile, context: CallContext) =>
    conduct({ world, context, directives: parseDirectives(file.displayName, 'file') }, async () => {
      if (!(await readsAsAnnounced(file))) return 'failed';
      await file.keepReference(noteOf(0));
      return stateAfter(file, 0);
    }),
  state: (file: ProjectFile, context: CallContext) =>
    conduct({ world, context, directives: [] }, async () => {
      const queries = queriesOf(file.reference) + 1;
      await file.keepReference(noteOf(queries));
      return stateAfter(file, queries);
    }),
  remove: (_file: ProjectFile, context: CallContext) => conduct({ world, context, directives: [] }, () => {}),
});
