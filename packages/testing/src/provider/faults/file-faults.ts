import { NotExecuted, type ProjectFile, type ProviderFiles } from '@tollgate/provider';
import type { ProviderFault } from '../provider-fault.ts';

const keeping =
  (change: (files: ProviderFiles) => Partial<ProviderFiles>): ProviderFault['wrap'] =>
  (right) =>
    right.files === undefined ? right : { ...right, files: { ...right.files, ...change(right.files) } };

const found = 'files: gives the upstream the whole file, notes its copy, and finds it by the note';

const forgetting = (file: ProjectFile): ProjectFile => ({ ...file, keepReference: () => Promise.resolve() });

/** Reads the first chunk only. */
const cutting = (file: ProjectFile): ProjectFile => ({
  ...file,
  read: async function* read() {
    for await (const chunk of file.read()) {
      yield chunk;
      return;
    }
  },
});

/** What only keeping copies can do wrong. */
export const fileFaults: readonly ProviderFault[] = [
  {
    name: 'notes no copy',
    failsCase: found,
    wrap: keeping(({ upload }) => ({ upload: (file, context) => upload(forgetting(file), context) })),
  },
  {
    name: 'gives the upstream the beginning of a file',
    failsCase: found,
    wrap: keeping(({ upload }) => ({ upload: (file, context) => upload(cutting(file), context) })),
  },
  {
    name: 'minds a copy that is gone',
    failsCase: 'files: removes a copy, and minds none that is gone',
    wrap: keeping(() => ({ remove: () => Promise.reject(new NotExecuted({ reason: 'failed' })) })),
  },
  {
    name: 'notes a copy before there is one',
    failsCase: 'files: tells a copy that the upstream does not take, in its own words',
    wrap: keeping(({ upload }) => ({
      upload: async (file, context) => {
        await file.keepReference('files/soon');
        return upload(file, context);
      },
    })),
  },
  {
    name: 'uploads without a caller',
    failsCase: 'files: sends nothing for a call that is already given up',
    wrap: keeping(({ upload }) => ({
      upload: (file, context) => upload(file, { ...context, signal: new AbortController().signal }),
    })),
  },
];
