import type {
  GenerationCall,
  GenerationTool,
  ImageSettings,
  Sampling,
  Thinking,
  WebSearchTool,
} from '@tollgate/provider';

/**
 * What an adapter does with a setting. `carried`: the upstream gets it. `refused`: a call with it is refused. `unseen`: the upstream
 * of this family needs nothing of it, for the reason that is given.
 */
export type SettingFate = 'carried' | 'refused' | { readonly unseen: string };

type FatesOf<Settings> = { readonly [Name in keyof Settings]-?: SettingFate };
type SamplesOf<Settings> = { readonly [Name in keyof Settings]-?: NonNullable<Settings[Name]> };

/** The fate of every setting of a call. A setting that is added to the interface does not compile until its fate is decided. */
export interface SettingFates {
  readonly call: FatesOf<GenerationCall>;
  readonly sampling: FatesOf<Sampling>;
  readonly thinking: FatesOf<Thinking>;
  /** Of each tool that an upstream may run. */
  readonly builtInTools: { readonly [Kind in BuiltInTool['kind']]: SettingFate };
  /** Of each limit of a search of the web, where such a search is not refused itself. */
  readonly webSearch: FatesOf<SearchLimits>;
  readonly image: FatesOf<ImageSettings>;
}

type BuiltInTool = Exclude<GenerationTool, { readonly kind: 'function' }>;
type SearchLimits = Omit<WebSearchTool, 'kind'>;

/** One setting, and a call that has it besides those of its base. */
export interface SettingRow {
  readonly name: string;
  readonly fate: 'carried' | 'refused' | 'unseen';
  /** What the call is to be compared with. */
  readonly base: GenerationCall;
  readonly changed: GenerationCall;
}

/** A call that leaves every optional setting out. */
export const plainCall: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'upstream-model',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [{ kind: 'function', name: 'f' }],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
};

// A value of each setting that says something beside the plain call.
const callSamples: SamplesOf<GenerationCall> = {
  operationId: 'other',
  upstreamModel: 'other-model',
  systemInstruction: 'Be brief.',
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Bye' }] }],
  tools: [{ kind: 'function', name: 'g' }],
  toolChoice: { kind: 'none' },
  responseFormat: { kind: 'json_object' },
  sampling: { temperature: 1 },
  outputTokensMax: 101,
  endUser: 'user-1',
  thinking: { level: 'low' },
  modalities: ['text', 'image'],
  image: { size: '1K' },
  speech: { kind: 'one_voice', voice: 'Kore' },
  audioFormat: 'mp3',
  transcription: { language: 'pt', prompt: 'Faro' },
  mediaResolution: 'low',
  safety: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  cached: { reference: 'caches/1', tokens: 9 },
  promptCache: { tools: { ttlSeconds: 300 } },
  serviceTier: 'priority',
};
const samplingSamples: SamplesOf<Sampling> = {
  temperature: 0.1,
  topP: 0.1,
  topK: 3,
  seed: 3,
  stopSequences: ['END'],
  parallelToolCalls: false,
  frequencyPenalty: 0.5,
  presencePenalty: -0.5,
};
const thinkingSamples: SamplesOf<Thinking> = { includeThoughts: true, budgetTokens: 10, level: 'low' };

const searchSamples: SamplesOf<SearchLimits> = {
  allowedDomains: ['example.com'],
  blockedDomains: ['example.com'],
  usesMax: 3,
};
const searching: GenerationCall = { ...plainCall, tools: [{ kind: 'web_search' }] };
const imageSamples: SamplesOf<ImageSettings> = {
  aspectRatio: '16:9',
  size: '2K',
  pixels: '1536x1024',
  count: 2,
  quality: 'high',
  background: 'transparent',
  format: 'webp',
};

const rowsOf = <Settings extends object>(
  prefix: string,
  fates: FatesOf<Settings>,
  change: (name: keyof Settings & string) => Partial<GenerationCall>,
  base: GenerationCall = plainCall,
): readonly SettingRow[] => {
  const rows: SettingRow[] = [];
  for (const name in fates) {
    const fate = fates[name];
    rows.push({
      name: `${prefix}${name}`,
      fate: typeof fate === 'string' ? fate : 'unseen',
      base,
      changed: { ...base, ...change(name) },
    });
  }
  return rows;
};

/** A row for each setting of a call, for the tests of an adapter: whether the request differs from that of the plain call. */
export const settingRows = ({
  call,
  sampling,
  thinking,
  image,
  builtInTools,
  webSearch,
}: SettingFates): readonly SettingRow[] => [
  ...rowsOf('', call, (name) => ({ [name]: callSamples[name] })),
  ...rowsOf('sampling.', sampling, (name) => ({ sampling: { [name]: samplingSamples[name] } })),
  ...rowsOf('thinking.', thinking, (name) => ({ thinking: { [name]: thinkingSamples[name] } })),
  ...rowsOf('image.', image, (name) => ({ image: { [name]: imageSamples[name] } })),
  ...rowsOf('tools.', builtInTools, (kind) => ({ tools: [{ kind }] })),
  ...rowsOf(
    'web_search.',
    webSearch,
    (name) => ({ tools: [{ kind: 'web_search', [name]: searchSamples[name] }] }),
    searching,
  ),
];
