// The process in which programs of strangers run. It is started with the permission model on, an empty environment and a cap
// on memory. The interpreter lives in a realm of its own, which has the objects of the language and nothing of Node; this module
// and those beside it are all that the process may load.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import type { PyodideAPI, PyodideConfig } from 'pyodide';
import type { ChildSetup } from './child-setup.ts';
import { closeInherited } from './close-inherited.ts';
import { createBridge } from './create-bridge.ts';
import { createFrameWriter } from './frame-writer.ts';
import { readInput } from './read-input.ts';
import type { prepare, refuse } from './realm.ts';

closeInherited();

/** The realm's own module lies beside this one, under the same kind of name in the sources and in the build. */
const readRealmModule = (): string => {
  const isSource = import.meta.url.endsWith('.ts');
  const text = readFileSync(fileURLToPath(new URL(isSource ? './realm.ts' : './realm.js', import.meta.url)), 'utf8');
  return isSource ? stripTypeScriptTypes(text) : text;
};

/** Evaluates modules in a realm whose functions cannot be made from texts. None of them may import another. */
const createRealm = () => {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: true } });
  return async (name: string, text: string, onImport?: () => never): Promise<object> => {
    const module = new vm.SourceTextModule(text, {
      context,
      identifier: `file:///${name}`,
      initializeImportMeta: (meta) => {
        meta.url = `file:///${name}`;
      },
      ...(onImport !== undefined && { importModuleDynamically: onImport }),
    });
    await module.link(() => {
      throw new Error(`${name} must not import another module`);
    });
    await module.evaluate();
    return module.namespace;
  };
};

// The parent wrote the setup.
const setupText = process.argv[2] ?? '';
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const setup = JSON.parse(setupText) as ChildSetup;
const evaluate = createRealm();
const input = readInput();
const bridge = createBridge(setup, input, createFrameWriter(input.token));
const readPart = (name: string): string => readFileSync(setup.folder + name, 'utf8');
// Each is the module of that name, and these are its exports.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const realm = (await evaluate('realm.js', readRealmModule())) as {
  readonly prepare: typeof prepare;
  readonly refuse: typeof refuse;
};
const run = realm.prepare(bridge, setupText);
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const loader = (await evaluate('pyodide.mjs', readPart('pyodide.mjs'), realm.refuse)) as {
  readonly loadPyodide: (config: PyodideConfig) => Promise<PyodideAPI>;
};
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const interpreter = (await evaluate('pyodide.asm.mjs', readPart('pyodide.asm.mjs'), realm.refuse)) as {
  readonly default: NonNullable<PyodideConfig['createPyodideModule']>;
};
// It ends the process. Not awaited: a promise of the realm must be given no function of ours to call.
void run(loader.loadPyodide, interpreter.default);
