import type { Node, SourceFile } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { lineAt, type Texts } from './figure.ts';

export type Sources = ReadonlyMap<string, SourceFile>;

/** Where the compiler believes the files to be; it sees nothing of the disk. */
const home = '/checkout';
const project = `${home}/tsconfig.json`;
const compilerOptions = { noResolve: true, noLib: true, noEmit: true, types: [], allowImportingTsExtensions: true };

/** Syntax trees of sources, by the same paths. Types are not checked, and imports are not followed. */
export const parseSources = (texts: Texts): Sources => {
  const files = new Map([...texts].map(([path, text]) => [`${home}/${path}`, text]));
  const config = JSON.stringify({ compilerOptions, files: [...files.keys()] });
  const api = new API({
    cwd: home,
    fs: {
      readFile: (path) => (path === project ? config : (files.get(path) ?? null)),
      fileExists: (path) => path === project || files.has(path),
      directoryExists: (path) => path.startsWith(home),
      getAccessibleEntries: () => ({ files: [], directories: [] }),
      realpath: (path) => path,
    },
  });
  try {
    const program = api.updateSnapshot({ openProjects: [project] }).getProject(project)?.program;
    return new Map(
      [...texts.keys()].map((path) => {
        const source = program?.getSourceFile(`${home}/${path}`);
        if (source === undefined) throw new Error(`the compiler does not read ${path}`);
        return [path, source] as const;
      }),
    );
  } finally {
    api.close();
  }
};

/** Visits a node and everything below it, parents first. */
export const walk = (node: Node, visit: (node: Node) => void): void => {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
};

/** Every node of every source for which `describe` has words, as `path:line words`. */
export const placesOf = (
  sources: Sources,
  describe: (node: Node, source: SourceFile) => string | null,
): readonly string[] => {
  const places: string[] = [];
  for (const [path, source] of sources)
    walk(source, (node) => {
      const words = describe(node, source);
      if (words !== null) places.push(`${path}:${lineAt(source.text, node.getStart(source))} ${words}`);
    });
  return places;
};
