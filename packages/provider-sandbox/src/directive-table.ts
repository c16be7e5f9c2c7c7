/**
 * Where a directive stands: in the last user text of a generation, in a text to embed, in the display name of a file, or in the
 * prompt of a video, in the input of an interaction that is carried out as a job, or in the display name of a batch or a cache that
 * the sandbox keeps itself, or in the system instruction, a text or a prompt of a session.
 */
export type DirectivePlace = 'generation' | 'embedding' | 'file' | 'video' | 'interaction' | 'batch' | 'cache' | 'live';

/** What can be asked of the sandbox, as `[[sandbox: <directive>]]`. */
export interface DirectiveRow {
  readonly form: string;
  /** What happens, as a sentence for the documentation. */
  readonly effect: string;
  /** Where it is understood; anywhere else it is refused. */
  readonly places: readonly DirectivePlace[];
}

const everywhere = ['generation', 'embedding', 'file', 'video', 'interaction', 'batch', 'cache', 'live'] as const;
const measured = ['generation', 'embedding', 'video', 'interaction', 'live'] as const;
const generation = ['generation'] as const;
const file = ['file'] as const;
const jobs = ['video', 'interaction', 'batch'] as const;
const answered = ['generation', 'interaction'] as const;
const talked = ['generation', 'interaction', 'live'] as const;

/** Every directive, by name, in the order in which the documentation lists them. */
export const directiveTable = {
  echo: { form: 'echo <text>', effect: 'Returns exactly this text.', places: talked },
  json: { form: 'json <JSON object>', effect: 'Returns exactly this JSON text.', places: answered },
  tool: {
    form: 'tool <name> [<JSON object>]',
    effect: 'Proposes a call of this function with these arguments; several make parallel calls.',
    places: talked,
  },
  code: {
    form: 'code [<Python>]',
    effect:
      'Runs Python with the code execution tool: whole numbers, + - * // % **, names and print, and nothing else; without a program it prints 6 * 7.',
    places: answered,
  },
  url: {
    form: 'url',
    effect: 'Pretends to read the URLs in the text with the URL context tool; nothing is fetched.',
    places: generation,
  },
  stream: {
    form: 'stream <pieces> [<milliseconds>]',
    effect:
      'Streams the response in that many chunks, with this wait between two of them; a summary that is too short gets more words.',
    places: generation,
  },
  cut: {
    form: 'cut <pieces>',
    effect:
      'Loses the response after that many chunks, or after all of them: the outcome is unknown and the operation uncertain.',
    places: generation,
  },
  length: {
    form: 'length',
    effect: 'Returns half of the text and reports that it was truncated at the output limit.',
    places: generation,
  },
  filter: {
    form: 'filter',
    effect:
      'Reports that the content was refused: no text, finish reason content_filter; a video or a batch fails when it is polled.',
    places: ['generation', 'video', 'interaction', 'batch', 'live'],
  },
  finish: {
    form: 'finish <reason>',
    effect:
      'Ends with this finer reason, such as RECITATION; without a response if it is a refusal, otherwise with the whole response.',
    places: generation,
  },
  block: {
    form: 'block [<reason>]',
    effect: 'Refuses the prompt itself for this reason (default SAFETY): no response, and only input is charged.',
    places: generation,
  },
  tokens: {
    form: 'tokens [in=<n>] [out=<n>] [cached=<n>] [thoughts=<n>] [image=<n>] [audio=<n>] [video=<n>] [document=<n>] [<unit>=<n>]',
    effect:
      'Reports exactly these quantities as measured, even above the output limit, to test an overrun; omitted quantities are zero. Any unit can be named in full, as in url_fetches=3.',
    places: measured,
  },
  tier: {
    form: 'tier <name>',
    effect:
      'Reports that this service tier was served: standard, flex, priority, or none to report nothing. Without it, the one that was asked for. A call that asks for no tier gets no report.',
    places: generation,
  },
  'unknown-usage': {
    form: 'unknown-usage',
    effect: 'Returns a response without usage: the operation becomes uncertain.',
    places: measured,
  },
  slow: { form: 'slow <milliseconds>', effect: 'Waits for this time, then does the rest.', places: everywhere },
  hang: {
    form: 'hang [<milliseconds>]',
    effect: 'Sends nothing until the gateway gives up, or for this time; then the outcome is unknown.',
    places: everywhere,
  },
  unknown: {
    form: 'unknown',
    effect: 'Loses the response at once: the outcome is unknown and the operation uncertain.',
    places: everywhere,
  },
  fail: { form: 'fail', effect: 'Confirms a failure: nothing is charged.', places: everywhere },
  unavailable: { form: 'unavailable', effect: 'Cannot be reached: nothing is charged.', places: everywhere },
  'rate-limited': {
    form: 'rate-limited [<seconds>]',
    effect: 'Is out of quota and asks for a retry after that many seconds (default 1): nothing is charged.',
    places: everywhere,
  },
  invalid: { form: 'invalid', effect: 'Refuses the content: nothing is charged.', places: everywhere },
  'input-limit': {
    form: 'input-limit',
    effect: 'Refuses the input as too large: nothing is charged.',
    places: everywhere,
  },
  polls: {
    form: 'polls <questions>',
    effect:
      'A job, which is a video, an interaction of a model that does not generate text or a batch, continues for that many polls of the gateway.',
    places: jobs,
  },
  processing: {
    form: 'processing <queries>',
    effect: 'In the name of a file: it is processing for that many queries of its state.',
    places: file,
  },
  'file-fail': {
    form: 'file-fail',
    effect: 'In the name of a file: it fails, once it is no longer processing.',
    places: file,
  },
  drop: {
    form: 'drop',
    effect: 'In a session: the upstream is lost in the middle of the turn, before its usage is reported.',
    places: ['live'],
  },
  'go-away': {
    form: 'go-away',
    effect: 'In a session: the upstream closes its connection, and the session continues on another.',
    places: ['live'],
  },
} as const satisfies { readonly [name: string]: DirectiveRow };

export type DirectiveName = keyof typeof directiveTable;

export const isDirectiveName = (name: string): name is DirectiveName => Object.hasOwn(directiveTable, name);
