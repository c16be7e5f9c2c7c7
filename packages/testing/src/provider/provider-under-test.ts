import type {
  BatchCall,
  CacheCall,
  EmbeddingCall,
  Generation,
  GenerationCall,
  InteractionCall,
  Provider,
  VideoCall,
} from '@tollgate/provider';

/** What can happen to any charged call, whatever it asks for. */
export const conductScenarios = {
  busy_once: 'Asks once to come back at once, then does what was asked; an upstream that is never busy does it.',
  busy_a_second: 'Asks, each time, to come back after 1 second.',
  rate_limited: 'Asks, each time, to come back after 3 seconds.',
  invalid_request: 'Refuses the content.',
  input_limit: 'Refuses the input as too large.',
  unavailable: 'Says that it is out of service.',
  failed: 'Says for certain that it failed, and that nothing ran.',
  unknown: 'Takes the call and loses the answer.',
  bad_gateway:
    'Lets a proxy say that it got no answer from the model, as by the status 502; an upstream without one loses the answer.',
  gateway_timeout:
    'Lets a proxy say that it waited too long for the model, as by the status 504; an upstream without one loses the answer.',
  hang: 'Takes the call and stays silent.',
} as const;

/** A city whose name no adapter may cut. */
export const longCity = 'Llanfairpwllgwyngyll'.repeat(250);

/** How an upstream explains a refusal, which is no text of the answer. */
export const refusalWords = 'This was refused in words of the upstream.';

/** What the upstream must be made to do, by scenario. All amounts are part of the scenario. */
export const providerScenarios = {
  ...conductScenarios,
  text: 'Returns a short text, with usage.',
  measured: 'Answers, and measures 100 input tokens, 40 of them cached, and 50 output tokens, 20 of them thoughts.',
  cache_written:
    'Answers, and measures 100 input tokens, 40 of them written to a cache, and 20 output tokens; an upstream that does not tell of writing measures 100 input tokens.',
  partial_usage:
    'Answers, measures 100 input tokens, and does not say how many output tokens there were in the end; an upstream that always says both measures nothing.',
  missing_usage: 'Returns a text and says nothing about usage.',
  function_call:
    'Proposes two calls of get_weather, with {"city":"Lisbon"} and {"city":"Porto"}, and with the state that it wants back, if it has any.',
  function_result: 'Returns a text to the results of both functions.',
  long_arguments: 'Proposes one call of get_weather, whose city is `longCity`, in pieces if it streams.',
  cut_call:
    'Begins a call of get_weather and is cut at the output limit before its arguments; an upstream that withholds such a call is cut without one.',
  json: 'Returns the JSON object {"city":"Lisbon"}, or another that fits the schema.',
  media: 'Returns a text to an image, audio, a video, a document or a text file.',
  length: 'Returns a text that was cut at the output limit.',
  unknown_end:
    'Returns a text, with usage, and ends for a reason that no version of its protocol has had; an upstream without reasons is cut at the output limit.',
  content_filter:
    'Refuses the content after having worked on it, with usage, and with `refusalWords` as its explanation if it explains.',
} as const;

export type ProviderScenario = keyof typeof providerScenarios;

/** What only a stream can meet. */
export const streamScenarios = {
  cut_before_pieces: 'Begins a stream and loses the connection before the first piece of its answer.',
  cut_between_pieces: 'Sends a piece of a text and loses the connection.',
  cut_after_usage:
    'Sends a piece of a text, says with it that 100 input text tokens were used, if it says so before the end, and loses the connection.',
  cut_before_end: 'Sends a whole text and loses the connection before it has said how the answer ended.',
  ended_without_end:
    'Sends a whole text and ends the stream cleanly, without a word of how the answer ended; an upstream that cannot loses the connection there.',
  error_before_pieces:
    'Says that the answer has begun, then that it failed, before the first piece; an upstream that does not tell of a beginning loses the connection.',
  error_between_pieces: 'Sends a piece of a text, says that it failed, and ends the stream.',
  growing_usage:
    'Counts 100 input tokens and 1 output token at its beginning, and 100 and 50 at its end, of a whole text; an upstream that counts once says the second.',
  hang_between_pieces: 'Sends a piece of a text and stays silent.',
} as const;

export type StreamScenario = ProviderScenario | keyof typeof streamScenarios;

/** What an upstream that embeds must be made to do. */
export const embedScenarios = {
  ...conductScenarios,
  vectors:
    'Returns a vector for each input, with usage: equal texts get equal vectors, and different texts different ones.',
  missing_usage: 'Returns the vectors and says nothing about usage.',
} as const;

export type EmbedScenario = keyof typeof embedScenarios;

export const countScenarios = {
  counted: 'Counts the input.',
  unavailable: 'Says that it is out of service.',
} as const;

export type CountScenario = keyof typeof countScenarios;

/** What an upstream that keeps copies of files must be made to do with the next call of any method of `files`. */
export const fileScenarios = {
  done: 'Does what is asked: takes the copy, tells its state, or removes it.',
  gone: 'Says that it has no such copy.',
  unavailable: 'Says that it is out of service.',
} as const;

export type FileScenario = keyof typeof fileScenarios;

/** What may become of a question for a job. */
const pollScenarios = {
  running: 'Takes the job, and says twice that it goes on before it is done.',
  poll_lost: 'Takes the job, loses the first question for it, and responds to the next.',
  poll_refused:
    'Takes the job, refuses the first question for it, as by the status 401, and responds to the next; an upstream that refuses none loses it.',
} as const;

/** What an upstream that makes videos must be made to do with the next call of `videos.start`, and with its job. */
export const videoScenarios = {
  ...conductScenarios,
  ...pollScenarios,
  done: 'Takes the job, and has made one video with its usage when it is asked for.',
  missing_usage: 'Takes the job, and is done without a word about usage.',
  job_failed: 'Takes the job, and says that it failed when it is asked for.',
} as const;

export type VideoScenario = keyof typeof videoScenarios;

/** What an upstream that carries out interactions must be made to do with the next call of `interactions.start`, and with its job. */
export const interactionScenarios = {
  ...conductScenarios,
  ...pollScenarios,
  done: 'Takes the job, and has said something with its usage when it is asked for.',
  requires_action: 'Takes the job, and calls a function when it is asked for.',
  missing_usage: 'Takes the job, and is done without a word about usage.',
  job_failed: 'Takes the job, and says that it failed when it is asked for.',
} as const;

export type InteractionScenario = keyof typeof interactionScenarios;

/** What an upstream that takes whole batches must be made to do with the next call of `batches.start`, and with its job. */
export const batchScenarios = {
  ...conductScenarios,
  ...pollScenarios,
  done: 'Takes the job, and has answered every item with its usage when it is asked for.',
  item_failed: 'Takes the job, and says of the second item that it failed.',
} as const;

export type BatchScenario = keyof typeof batchScenarios;

/** What an upstream that keeps caches must be made to do with the next call of `caches.create`. */
export const cacheScenarios = {
  ...conductScenarios,
  done: 'Keeps the cache, and says what it holds.',
} as const;

export type CacheScenario = keyof typeof cacheScenarios;

/**
 * A provider with an upstream that a suite can direct. What arranges a method is there exactly where the provider has the
 * method; so a capability is left out of the suite only by leaving it out of the provider.
 */
export interface ProviderUnderTest {
  readonly provider: Provider;
  /** Makes the next `generate` meet the scenario, and returns the call to make: the given one, or one with another prompt. */
  readonly arrange: (scenario: ProviderScenario, call: GenerationCall) => GenerationCall;
  /** The same for the next `generateStream`. */
  readonly arrangeStream?: (scenario: StreamScenario, call: GenerationCall) => GenerationCall;
  /** The same for the next `embed`. */
  readonly arrangeEmbed?: (scenario: EmbedScenario, call: EmbeddingCall) => EmbeddingCall;
  /** The same for the next `countTokens`. */
  readonly arrangeCount?: (scenario: CountScenario, call: GenerationCall) => GenerationCall;
  /** Makes the next call of `files` meet the scenario. */
  readonly arrangeFile?: (scenario: FileScenario) => void;
  /** Makes the next `videos.start` and the questions for its job meet the scenario, and returns the call to make. */
  readonly arrangeVideo?: (scenario: VideoScenario, call: VideoCall) => VideoCall;
  /** Makes the next `batches.start` and the questions for its job meet the scenario, and returns the call to make. */
  readonly arrangeBatch?: (scenario: BatchScenario, call: BatchCall) => BatchCall;
  /** Makes the next `caches.create` meet the scenario, and returns the call to make. */
  readonly arrangeCache?: (scenario: CacheScenario, call: CacheCall) => CacheCall;
  /** Makes the next `interactions.start` and the questions for its job meet the scenario, and returns the call to make. */
  readonly arrangeInteraction?: (scenario: InteractionScenario, call: InteractionCall) => InteractionCall;
  /**
   * What the upstream was sent with its last request that asks for an answer: its body as text, with what it names of media in
   * Base64. A setting that stands in the address or in a header stands before the body.
   */
  readonly sentBody: () => string | Promise<string>;
  /**
   * The provider over the same upstream, with a limit of its own on time of less than a second; null where it has no such limit. The case
   * closes it.
   */
  readonly impatient: (() => Provider) | null;
  /** How many upstream requests the upstream has seen so far. */
  readonly upstreamRequests: () => number;
  /** Resolves when the upstream has seen that many upstream requests. */
  readonly received: (upstreamRequests: number) => Promise<void>;
  /** What the upstream called the last request whose text was answered; undefined where it names none. */
  readonly upstreamId: () => string | undefined;
  /** Whether what a stream has used so far is said while it goes on, or at its end only. */
  readonly measures: 'as_it_goes' | 'at_the_end';
  /** Whether the upstream got the state of its calls back unchanged with the `function_result` that had this answer. */
  readonly stateCameBack: (answer: Generation) => boolean;
  /** The host's key and the words of the upstream's errors: secrets that must not leave the process. */
  readonly secrets: readonly string[];
  readonly close: () => Promise<void>;
}
