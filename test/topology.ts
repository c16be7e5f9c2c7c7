// What may depend on what, and how a package must look, as checks over data. Each check returns its findings as text.

export interface Manifest {
  readonly name: string;
  readonly type?: string;
  readonly sideEffects?: unknown;
  readonly files?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface SourceFile {
  /** Inside the package, as in `src/index.ts`. */
  readonly path: string;
  readonly text: string;
}

export interface Package {
  readonly manifest: Manifest;
  /** Everything under `src`, without tests. */
  readonly sources: readonly SourceFile[];
  /** Entry files of the build, as in `src/index.ts`. */
  readonly buildEntries: readonly string[];
  /** Directories that the compiler builds first, as in `../contract`. */
  readonly references: readonly string[];
}

type Place =
  | { readonly kind: 'layer'; readonly rank: number }
  | { readonly kind: 'adapter'; readonly rankMax: number }
  | { readonly kind: 'testing' };

const assembly = 'tollgate';
const layers: readonly (readonly string[])[] = [
  ['contract', 'sse', 'cron', 'signature'],
  ['storage', 'provider'],
  ['provider-http'],
  ['engine'],
  ['routes', 'live', 'admin'],
  ['node', 'pdf'],
  ['tools'],
];
const storageAdapters = [
  'storage-memory',
  'storage-cells',
  'storage-sqlite',
  'storage-postgres',
  'storage-mysql',
  'blobs-s3',
];
const providerAdapters = [
  'provider-sandbox',
  'provider-openai',
  'provider-google',
  'provider-anthropic',
  'provider-ai-sdk',
  'provider-routing',
];
/** What a host may add beside a gateway: it sees the engine's interfaces, and no package sees it. */
const additions = ['limits', 'stripe', 'telemetry'];
/** What knows a gateway by its routes only: pages and what serves them, and what tries a gateway from outside. */
const outside = ['conformance', 'console', 'elements'];
/** `npm create tollgate` finds this package by its name, which has no scope. It writes programs, and imports none of ours. */
const creator = 'create-tollgate';
const scoped = (directory: string): string => `@tollgate/${directory}`;

const places: ReadonlyMap<string, Place> = new Map<string, Place>([
  ...layers.flatMap((names, rank) => names.map((name) => [scoped(name), { kind: 'layer', rank }] as const)),
  // Adapters see the contract and the interfaces, never the engine.
  ...storageAdapters.map((name) => [scoped(name), { kind: 'adapter', rankMax: 1 }] as const),
  // Rank 2 is what adapters of upstreams over HTTP share.
  ...providerAdapters.map((name) => [scoped(name), { kind: 'adapter', rankMax: 2 }] as const),
  ...additions.map((name) => [scoped(name), { kind: 'adapter', rankMax: 3 }] as const),
  ...outside.map((name) => [scoped(name), { kind: 'adapter', rankMax: -1 }] as const),
  [creator, { kind: 'adapter', rankMax: -1 }],
  [scoped('testing'), { kind: 'testing' }],
  [assembly, { kind: 'layer', rank: layers.length }],
]);

/** Ranks that run wherever `fetch` does. */
const portableRankMax = 4;
const hostModules = new Set([
  'fs',
  'http',
  'https',
  'http2',
  'net',
  'tls',
  'dgram',
  'dns',
  'child_process',
  'cluster',
  'sqlite',
]);
const vagueName = /(?:^|[-/])(?:utils?|helpers?|common|managers?)(?=[-/.]|$)/u;
const publishedFiles = ['dist', 'src', '!dist/tsconfig.tsbuildinfo', '!src/**/*.test.ts', '!src/**/*.test-d.ts'];
const exportConditions = ['@tollgate/source', 'types', 'default'];
const nodeRange = '>=22.18';

const isInternal = (name: string): boolean => name === assembly || name.startsWith('@tollgate/');
const runtimeDependencies = ({ dependencies, peerDependencies, optionalDependencies }: Manifest): readonly string[] =>
  Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });

const mayDependOn = (from: string, to: string): boolean => {
  const source = places.get(from);
  const target = places.get(to);
  if (source === undefined || target === undefined) return false;
  if (target.kind === 'testing') return false;
  if (target.kind === 'adapter') return from === assembly;
  if (source.kind === 'adapter') return target.rank <= source.rankMax;
  if (source.kind === 'testing') return to !== assembly;
  return target.rank < source.rank;
};

/** The rank rules of the architecture, over what a manifest asks for at run time. Development dependencies are free. */
export const rankProblems = ({ manifest }: Package): readonly string[] => [
  ...(places.has(manifest.name) ? [] : [`${manifest.name} has no rank`]),
  ...runtimeDependencies(manifest)
    .filter((name) => isInternal(name) && !mayDependOn(manifest.name, name))
    .map((name) => `${manifest.name} must not depend on ${name}`),
];

const importPatterns = [
  /^(?:import|export)\s[^'";=()]*?\bfrom\s*['"]([^'"]+)['"]/gmu,
  /^import\s*['"]([^'"]+)['"]/gmu,
  /\bimport\(\s*['"]([^'"]+)['"]\s*\)/gu,
] as const;

/** Every module that a source names, in import and export statements, dynamic imports and import types. */
export const importsOf = (text: string): readonly string[] =>
  importPatterns.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, specifier = '']) => specifier));

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const isRelative = (specifier: string): boolean => specifier.startsWith('.');

/** Each package that a source imports, types included, must be declared: a consumer installs nothing else. */
export const declarationProblems = ({ manifest, sources }: Package): readonly string[] => {
  const declared = new Set([...runtimeDependencies(manifest), manifest.name]);
  return sources.flatMap(({ path, text }) =>
    importsOf(text)
      .filter((specifier) => !isRelative(specifier) && !/^(?:node:|#)/u.test(specifier))
      .filter((specifier) => !declared.has(packageOf(specifier)))
      .map((specifier) => `${manifest.name} ${path} imports ${specifier}, which it does not declare`),
  );
};

/** The inner ranks run wherever `fetch` does, so they may hash but not touch files, sockets or processes. */
export const hostModuleProblems = ({ manifest, sources }: Package): readonly string[] => {
  const place = places.get(manifest.name);
  if (place?.kind !== 'layer' || place.rank > portableRankMax) return [];
  return sources.flatMap(({ path, text }) =>
    importsOf(text)
      .filter((specifier) => hostModules.has(packageOf(specifier.replace(/^node:/u, ''))))
      .map((specifier) => `${manifest.name} ${path} imports ${specifier}, which ties it to one host`),
  );
};

/** Rules of style that the linter has no rule for. */
export const sourceProblems = ({ manifest, sources }: Package): readonly string[] =>
  sources.flatMap(({ path, text }) => [
    ...(/^export\s+(?:type\s+)?\*/mu.test(text) ? [`${manifest.name} ${path} exports everything of another file`] : []),
    ...(/\b(?:TODO|FIXME)\b/u.test(text) ? [`${manifest.name} ${path} leaves work undone`] : []),
    ...(vagueName.test(path) ? [`${manifest.name} ${path} has a name that says nothing`] : []),
  ]);

/** The files of the engine that hand a step to a storage. */
const carrier = /\/(?:persist|notify-of-events)\.ts$/u;

/** Keys and decision of a step travel together: nothing else hands them over, and nothing exports the keys alone. */
export const stepProblems = ({ manifest, sources }: Package): readonly string[] =>
  manifest.name === scoped('engine')
    ? sources.flatMap(({ path, text }) => [
        ...(/\.transact\(/u.test(text) && !carrier.test(path)
          ? [`${manifest.name} ${path} hands keys and a decision to a storage itself: use commit or commitOnce`]
          : []),
        ...(path === 'src/decisions.ts' && /\bdecide[A-Z]|Keys\b/u.test(text)
          ? [`${manifest.name} ${path} exports the keys or the decision of a step without the other`]
          : []),
      ])
    : [];

const sameJson = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** What every published manifest says alike. */
export const manifestProblems = ({ manifest }: Package): readonly string[] =>
  [
    manifest.type !== 'module' && 'is not of type module',
    manifest.sideEffects !== false && 'does not say sideEffects: false',
    manifest.engines?.['node'] !== nodeRange && `does not ask for node ${nodeRange}`,
    !sameJson(manifest.files, manifest.name === creator ? [...publishedFiles, 'templates'] : publishedFiles) &&
      'publishes other files than its siblings',
  ].flatMap((problem) => (problem === false ? [] : [`${manifest.name} ${problem}`]));

const exportProblem = (key: string, target: unknown): string | undefined => {
  if (key === './package.json') return target === './package.json' ? undefined : 'does not lead to the manifest';
  if (typeof target !== 'object' || target === null) return 'is not a map of conditions';
  if (!sameJson(Object.keys(target), exportConditions))
    return `does not have ${exportConditions.join(', ')} in this order`;
  const name = key === '.' ? 'index' : key.slice('./'.length);
  const expected = [`./src/${name}.ts`, `./dist/${name}.d.ts`, `./dist/${name}.js`];
  return sameJson(Object.values(target), expected) ? undefined : `does not lead to ${expected.join(', ')}`;
};

/** Path, export and concept spell the same word: `./x` is `src/x.ts`, which exists and is built. So are commands. */
export const exportProblems = ({ manifest, sources, buildEntries }: Package): readonly string[] => {
  const exported = manifest.exports ?? {};
  const entries = [
    ...Object.keys(exported)
      .filter((key) => key !== './package.json')
      .map((key) => `src/${key === '.' ? 'index' : key.slice('./'.length)}.ts`),
    ...Object.values(manifest.bin ?? {}).map((target) => target.replace(/^\.\/dist\/(.*)\.js$/u, 'src/$1.ts')),
  ];
  return [
    ...('./package.json' in exported ? [] : [`${manifest.name} lacks the export ./package.json`]),
    ...(entries.length > 0 ? [] : [`${manifest.name} exports nothing`]),
    ...Object.entries(exported).flatMap(([key, target]) => {
      const problem = exportProblem(key, target);
      return problem === undefined ? [] : [`${manifest.name} export ${key} ${problem}`];
    }),
    ...entries
      .filter((entry) => !sources.some(({ path }) => path === entry))
      .map((entry) => `${manifest.name} offers ${entry}, which does not exist`),
    ...entries
      .filter((entry) => !buildEntries.includes(entry))
      .map((entry) => `${manifest.name} does not build ${entry}`),
  ];
};

/** The compiler builds a package after those it depends on only when its project names them. */
export const referenceProblems = ({ manifest, references }: Package): readonly string[] => {
  const wanted = runtimeDependencies(manifest)
    .filter(isInternal)
    .map((name) => `../${name.replace('@tollgate/', '')}`);
  return [
    ...wanted
      .filter((path) => !references.includes(path))
      .map((path) => `${manifest.name} lacks the reference ${path}`),
    ...references.filter((path) => !wanted.includes(path)).map((path) => `${manifest.name} needs no reference ${path}`),
  ];
};
