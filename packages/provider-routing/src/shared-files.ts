import type { CallContext, ProjectFile, Provider, ProviderFiles, UpstreamFileState } from '@tollgate/provider';
import { hasReference, liveFile } from './file-references.ts';
import { removeInvocation, stateInvocation } from './invocation.ts';

/**
 * Files of several members. Which of them will be asked to use a file is not known when it comes, so that each one that keeps
 * copies is given one; one that takes none is given the bytes when the file is used.
 */
export const sharedFiles = (members: readonly Provider[]): ProviderFiles => {
  const keepers = members.filter(({ files }) => files !== undefined);
  const noted = (file: ProjectFile): readonly Provider[] => keepers.filter((member) => hasReference(file, member));
  return {
    upload: (file, context) => stateOfAll('upload', keepers, file, context),
    state: async (file, context) => {
      const holders = noted(file);
      return holders.length === 0 ? 'active' : stateOfAll('state', holders, file, context);
    },
    remove: async (file, context) => {
      const failures = await removeAll(noted(file), file, context);
      if (failures.length > 0) throw failures[0];
    },
  };
};

/** One after another, since each adds its note to those before it. Throws the first failure where no provider has a response. */
const stateOfAll = async (
  method: 'upload' | 'state',
  members: readonly Provider[],
  file: ProjectFile,
  context: CallContext,
): Promise<UpstreamFileState> => {
  const invocation = stateInvocation(method, liveFile(file), context);
  const states: UpstreamFileState[] = [];
  const failures: unknown[] = [];
  for (const member of members) {
    await invocation.ask(member).then(
      (state) => states.push(state),
      (failure: unknown) => failures.push(failure),
    );
  }
  if (states.length === 0) throw failures[0];
  return together(states);
};

/** A file can be used as soon as no copy is processing, by the providers whose copy did not fail. */
const together = (states: readonly UpstreamFileState[]): UpstreamFileState => {
  if (states.includes('processing')) return 'processing';
  return states.includes('active') ? 'active' : 'failed';
};

/** Asks every holder, whatever the others do. */
const removeAll = async (
  members: readonly Provider[],
  file: ProjectFile,
  context: CallContext,
): Promise<readonly unknown[]> => {
  const invocation = removeInvocation(file, context);
  const failures: unknown[] = [];
  for (const member of members) await invocation.ask(member).catch((failure: unknown) => failures.push(failure));
  return failures;
};
