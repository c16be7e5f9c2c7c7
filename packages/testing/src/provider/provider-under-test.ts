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

/** What the upstream must be made to do, by scenario. All amounts are part of the scenario. */
export const providerScenarios = {
  text: 'Returns a short text, with usage.',
  measured: 'Answers, and measures 100 input tokens, 40 of them cached, and 50 output tokens, 20 of them thoughts.',
  function_call:
    'Proposes two calls of get_weather, with {"city":"Lisbon"} and {"city":"Porto"}, and with the state that it wants back, if it has any.',
  function_result: 'Returns a text to the results of both functions.',
  json: 'Returns the JSON object {"city":"Lisbon"}, or another that fits the schema.',
  media: 'Returns a text to an image, audio, a document and a text file.',
  length: 'Returns a text that was cut at the output limit.',
  content_filter: 'Refuses the content after having worked on it, with usage.',
  missing_usage: 'Returns a text and says nothing about usage.',
  busy_once: 'Asks once to come back at once, then answers; an upstream that is never busy answers.',
  invalid_request: 'Refuses the content.',
  input_limit: 'Refuses the input as too large.',
  rate_limited: 'Asks, each time, to come back after 3 seconds.',
  unavailable: 'Says that it is out of service.',
  failed: 'Says for certain that it failed.',
  unknown: 'Takes the call and loses the answer.',
  hang: 'Takes the call and stays silent.',
} as const;

export type ProviderScenario = keyof typeof providerScenarios;

/** What only a stream can meet. */
export const streamScenarios = {
  cut_before_pieces: 'Begins a stream and loses the connection before the first piece of its answer.',
  cut_between_pieces: 'Sends a piece of a text and loses the connection.',
  cut_after_usage:
    'Sends a piece of a text, says with it that 100 input text tokens were used, if it says so before the end, and loses the connection.',
  cut_before_end: 'Sends a whole text and loses the connection before it has said how the answer ended.',
  error_between_pieces: 'Sends a piece of a text, says that it failed, and ends the stream.',
  hang_between_pieces: 'Sends a piece of a text and stays silent.',
} as const;

export type StreamScenario = ProviderScenario | keyof typeof streamScenarios;

/** What an upstream that embeds must be made to do. */
export const embedScenarios = {
  vectors:
    'Returns a vector for each input, with usage: equal texts get equal vectors, and different texts different ones.',
  missing_usage: 'Returns the vectors and says nothing about usage.',
  busy_once: 'Asks once to come back at once, then answers; an upstream that is never busy answers.',
  invalid_request: 'Refuses the content.',
  input_limit: 'Refuses the input as too large.',
  rate_limited: 'Asks, each time, to come back after 3 seconds.',
  unavailable: 'Says that it is out of service.',
  failed: 'Says for certain that it failed.',
  unknown: 'Takes the call and loses the answer.',
  hang: 'Takes the call and stays silent.',
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

/** What an upstream that makes videos must be made to do with the next call of `videos.start`, and with its job. */
export const videoScenarios = {
  done: 'Takes the job, and has made one video with its usage when it is asked for.',
  running: 'Takes the job, and says twice that it goes on before it is done.',
  missing_usage: 'Takes the job, and is done without a word about usage.',
  job_failed: 'Takes the job, and says that it failed when it is asked for.',
  poll_lost: 'Takes the job, loses the first question for it, and responds to the next.',
  busy_once: 'Asks once to come back at once, then takes the job; an upstream that is never busy takes it.',
  invalid_request: 'Refuses the content.',
  input_limit: 'Refuses the input as too large.',
  rate_limited: 'Asks, each time, to come back after 3 seconds.',
  unavailable: 'Says that it is out of service.',
  failed: 'Says for certain that it failed, instead of taking the job.',
  unknown: 'Takes the call and loses the answer.',
  hang: 'Takes the call and stays silent.',
} as const;

export type VideoScenario = keyof typeof videoScenarios;

/** What an upstream that carries out interactions must be made to do with the next call of `interactions.start`, and with its job. */
export const interactionScenarios = {
  done: 'Takes the job, and has said something with its usage when it is asked for.',
  running: 'Takes the job, and says twice that it goes on before it is done.',
  requires_action: 'Takes the job, and calls a function when it is asked for.',
  missing_usage: 'Takes the job, and is done without a word about usage.',
  job_failed: 'Takes the job, and says that it failed when it is asked for.',
  poll_lost: 'Takes the job, loses the first question for it, and responds to the next.',
  busy_once: 'Asks once to come back at once, then takes the job; an upstream that is never busy takes it.',
  invalid_request: 'Refuses the content.',
  input_limit: 'Refuses the input as too large.',
  rate_limited: 'Asks, each time, to come back after 3 seconds.',
  unavailable: 'Says that it is out of service.',
  failed: 'Says for certain that it failed, instead of taking the job.',
  unknown: 'Takes the call and loses the answer.',
  hang: 'Takes the call and stays silent.',
} as const;

export type InteractionScenario = keyof typeof interactionScenarios;

/** What an upstream that takes whole batches must be made to do with the next call of `batches.start`, and with its job. */
export const batchScenarios = {
  done: 'Takes the job, and has answered every item with its usage when it is asked for.',
  running: 'Takes the job, and says twice that it goes on before it is done.',
  item_failed: 'Takes the job, and says of the second item that it failed.',
  busy_once: 'Asks once to come back at once, then takes the job; an upstream that is never busy takes it.',
  invalid_request: 'Refuses the content.',
  input_limit: 'Refuses the input as too large.',
  rate_limited: 'Asks, each time, to come back after 3 seconds.',
  unavailable: 'Says that it is out of service.',
  failed: 'Says for certain that it failed, instead of taking the job.',
  unknown: 'Takes the call and loses the answer.',
  hang: 'Takes the call and stays silent.',
} as const;

export type BatchScenario = keyof typeof batchScenarios;

/** What an upstream that keeps caches must be made to do with the next call of `caches.create`. */
export const cacheScenarios = {
  done: 'Keeps the cache, and says what it holds.',
  busy_once: 'Asks once to come back at once, then keeps the cache; an upstream that is never busy keeps it.',
  invalid_request: 'Refuses the content.',
  input_limit: 'Refuses the input as too large.',
  rate_limited: 'Asks, each time, to come back after 3 seconds.',
  unavailable: 'Says that it is out of service.',
  failed: 'Says for certain that it failed.',
  unknown: 'Takes the call and loses the answer.',
  hang: 'Takes the call and stays silent.',
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
