/** What is peculiar to a model of this upstream and not told by the call. */
export interface ModelTraits {
  /** Open-weights models take no system instruction: its text goes in front of the first turn of the user. */
  readonly systemInFirstTurn: boolean;
  /** A function call in the history needs the signature it came with, or the placeholder for one that was lost. */
  readonly signedCalls: boolean;
  /** How much to think is said as a level; older models know a budget of tokens alone. */
  readonly thinkingLevels: boolean;
  /** The upstream carries out interactions of it as jobs, with its own tools. */
  readonly interactions: boolean;
  /** The upstream searches the web beside it. */
  readonly searches: boolean;
  /** The upstream serves it sooner or later than usual, where a call asks for that. */
  readonly tiered: boolean;
}

const openWeights = /^(?:models\/)?gemma-/;
/** From the third generation on; the moving names point there too. */
const signing = /^(?:models\/)?(?:gemini-(?:[3-9]|\d\d)|gemini-(?:pro|flash|flash-lite)-latest$|nano-banana-)/;

/** Agents, what makes music, and what answers, but for those that speak, listen live or turn texts into vectors. */
const interacting =
  /^(?:deep-research|antigravity|lyria-(?!realtime)|gemini-(?!.*(?:tts|live|native-audio|embedding|streaming)))/;

/** Models that write texts, from the second generation on. */
const searching =
  /^gemini-(?!1\b)(?!.*(?:tts|live|native-audio|embedding|streaming|computer-use|image|transcribe|omni))/;

/** Models that are called by `generateContent`, without those whose weights are open. */
const tiered = /^gemini-(?!1\b)(?!.*(?:live|native-audio|embedding|streaming))/;

/** Traits by the upstream's name of the model. */
export const modelTraitsOf = (upstreamModel: string): ModelTraits => ({
  systemInFirstTurn: openWeights.test(upstreamModel),
  signedCalls: signing.test(upstreamModel),
  thinkingLevels: signing.test(upstreamModel),
  interactions: interacting.test(upstreamModel.replace(/^models\//, '')),
  searches: searching.test(upstreamModel.replace(/^models\//, '')),
  tiered: tiered.test(upstreamModel.replace(/^models\//, '')),
});
