import { asArray, asObject, asText, fieldOfPath, type CallField, type UntrustedObject } from '@tollgate/provider';

/** The settings of this protocol that one setting of a call becomes, in its JSON spelling. */
const wireNames: ReadonlyMap<string, CallField> = new Map<string, CallField>([
  ['contents', 'contents'],
  ['systemInstruction', 'systemInstruction'],
  ['tools', 'tools'],
  ['toolConfig', 'toolChoice'],
  ['safetySettings', 'safety'],
  ['serviceTier', 'serviceTier'],
  ['generationConfig.temperature', 'temperature'],
  ['generationConfig.topP', 'topP'],
  ['generationConfig.topK', 'topK'],
  ['generationConfig.seed', 'seed'],
  ['generationConfig.stopSequences', 'stopSequences'],
  ['generationConfig.frequencyPenalty', 'frequencyPenalty'],
  ['generationConfig.presencePenalty', 'presencePenalty'],
  ['generationConfig.responseSchema', 'responseFormat'],
  ['generationConfig.responseJsonSchema', 'responseFormat'],
  ['generationConfig.responseMimeType', 'responseFormat'],
  ['generationConfig.thinkingConfig', 'thinking'],
  ['generationConfig.responseModalities', 'modalities'],
  ['generationConfig.speechConfig', 'speech'],
  ['generationConfig.imageConfig', 'image'],
  ['generationConfig.mediaResolution', 'mediaResolution'],
  ['content', 'contents'],
  ['outputDimensionality', 'dimensions'],
  ['taskType', 'task'],
  ['title', 'title'],
]);

/** Violations that are read of one error. */
const violationsMax = 16;

/** As JSON spells it: upstreams give the names of their messages, some with the message itself before them. */
const jsonPath = (path: string): string =>
  path.replace(/^[A-Za-z]+Request\./, '').replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const fieldOfName = (name: string): CallField | undefined => {
  const path = jsonPath(name);
  return fieldOfPath(path, wireNames) ?? fieldOfPath(`generationConfig.${path}`, wireNames);
};

/** Where the sentence begins with the name: `GenerateContentRequest.generation_config.top_k: …`, `topK is not supported`. */
const namedFirst = /^(?:\* )?([A-Za-z][\w.[\]]{1,150})(?:: | is (?:not|un)\s?supported\b)/;

/** The setting that an error is about: as its violations name it, or its sentence; undefined where neither does. */
export const fieldOfError = (details: readonly UntrustedObject[], message: string): CallField | undefined => {
  for (const detail of details)
    for (const violation of asArray(detail['fieldViolations']).slice(0, violationsMax)) {
      const name = asText(asObject(violation)?.['field']);
      const field = name === undefined ? undefined : fieldOfName(name);
      if (field !== undefined) return field;
    }
  const name = namedFirst.exec(message)?.[1];
  return name === undefined ? undefined : fieldOfName(name);
};
