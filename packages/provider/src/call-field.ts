/**
 * The settings of a call that a refusal can name. The set is closed, so that nothing of an upstream's text reaches a client. The
 * bound on the output is not among them: the gateway sets it itself, also where its client does not.
 */
export const callFields = [
  'contents',
  'systemInstruction',
  'tools',
  'toolChoice',
  'responseFormat',
  'temperature',
  'topP',
  'topK',
  'seed',
  'stopSequences',
  'frequencyPenalty',
  'presencePenalty',
  'parallelToolCalls',
  'thinking',
  'modalities',
  'speech',
  'image',
  'imageCount',
  'imageQuality',
  'imageBackground',
  'imageFormat',
  'audioFormat',
  'transcription',
  'mediaResolution',
  'safety',
  'cached',
  'endUser',
  'serviceTier',
  'dimensions',
  'task',
  'title',
] as const;
export type CallField = (typeof callFields)[number];

/** Characters of an upstream's name of a field; a longer one names none. */
const nameCharsMax = 200;

/** The first name of a path that an upstream gives: `messages` of `messages[1].content`. */
export const fieldOfPath = (path: string, names: ReadonlyMap<string, CallField>): CallField | undefined => {
  if (path.length > nameCharsMax) return undefined;
  const segments = path.replaceAll(/\[\d*\]/g, '').split('.');
  for (let length = segments.length; length > 0; length -= 1) {
    const field = names.get(segments.slice(0, length).join('.'));
    if (field !== undefined) return field;
  }
  return undefined;
};
