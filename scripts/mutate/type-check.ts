import path from 'node:path';
import { API } from 'typescript/unstable/sync';
import type { SourceMutant } from './source-mutant.ts';

/** The compiler with all sources in hand, which is asked about one changed file after the other. */
export interface TypeCheck {
  /** Whether a source still has its types with a mutant in it. A mutant without can never be built, so that no test needs to see it. */
  readonly accepts: (mutant: SourceMutant) => boolean;
  readonly close: () => void;
}

const projectName = 'tsconfig.mutants.json';
const compilerOptions = {
  composite: false,
  incremental: false,
  noEmit: true,
  emitDeclarationOnly: false,
  declaration: false,
  declarationMap: false,
};

const withMutant = (text: string, { form, start, end, text: instead }: SourceMutant): string => {
  const put = form === 'statement' ? ';' : instead;
  // What is left out of a list takes its comma along.
  const rest = form === 'element' || form === 'member' ? text.slice(end).replace(/^\s*,/, '') : text.slice(end);
  return `${text.slice(0, start)}${form === 'expression' ? `(${put})` : put}${rest}`;
};

export const openTypeCheck = (root: string, texts: ReadonlyMap<string, string>): TypeCheck => {
  const project = path.join(root, projectName);
  const own = new Map([...texts].map(([file, text]) => [path.join(root, file), text] as const));
  const files = [...own.keys()];
  const config = JSON.stringify({ extends: './tsconfig.base.json', compilerOptions, files, include: [] });
  const changed = new Map<string, string>();
  const api = new API({
    cwd: root,
    fs: {
      readFile: (file) => (file === project ? config : (changed.get(file) ?? own.get(file))),
      fileExists: (file) => (file === project || own.has(file) ? true : undefined),
    },
  });
  let before: string | null = null;
  const accepts = (mutant: SourceMutant): boolean => {
    const file = path.join(root, mutant.file);
    changed.clear();
    changed.set(file, withMutant(own.get(file) ?? '', mutant));
    // The file of the mutant before is as it was again.
    const fileChanges = { changed: [...new Set([file, ...(before === null ? [] : [before])])] };
    before = file;
    const snapshot = api.updateSnapshot({ openProjects: [project], fileChanges });
    try {
      const program = snapshot.getProject(project)?.program;
      if (program === undefined) throw new Error('the compiler reads no project');
      return program.getSemanticDiagnostics(file).length === 0;
    } finally {
      snapshot.dispose();
    }
  };
  return { accepts, close: () => api.close() };
};
