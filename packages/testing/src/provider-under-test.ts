import type { Generation, GenerationCall, Provider } from '@tollgate/provider';

/** What the upstream must be made to do, by scenario. All amounts are part of the scenario. */
export const providerScenarios = {
  text: 'Answers a short text, with usage.',
  measured: 'Answers, and measures 100 input tokens, 40 of them cached, and 50 output tokens, 20 of them thoughts.',
  function_call:
    'Proposes two calls of get_weather, with {"city":"Lisbon"} and {"city":"Porto"}, and with the state that it wants back, if it has any.',
  function_result: 'Answers a text to the results of both functions.',
  json: 'Answers the JSON object {"city":"Lisbon"}, or another that fits the schema.',
  media: 'Answers a text to an image, audio, a document and a text file.',
  length: 'Answers a text that was cut at the output limit.',
  content_filter: 'Refuses the content after having worked on it, with usage.',
  missing_usage: 'Answers a text and says nothing about usage.',
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

/** A provider with an upstream that a suite can direct. */
export interface ProviderUnderTest {
  readonly provider: Provider;
  /** Makes the next call meet the scenario, and answers the call to make: the given one, or one with another prompt. */
  readonly arrange: (scenario: ProviderScenario, call: GenerationCall) => GenerationCall;
  /** How many wire calls the upstream has seen so far. */
  readonly wireCalls: () => number;
  /** Resolves when the upstream has seen that many wire calls. */
  readonly received: (wireCalls: number) => Promise<void>;
  /** Whether the upstream got the state of its calls back unchanged with the `function_result` that had this answer. */
  readonly stateCameBack: (answer: Generation) => boolean;
  /** The host's key and the words of the upstream's errors: what nobody else may see. */
  readonly secrets: readonly string[];
  readonly close: () => Promise<void>;
}
