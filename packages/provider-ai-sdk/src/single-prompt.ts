import { unplacedImageField, type BlobPart, type GenerationCall, type MediaPart } from '@tollgate/provider';
import { refuse } from './refuse.ts';

/** What a call may ask for beside its prompt. */
type Setting =
  | 'systemInstruction'
  | 'tools'
  | 'responseFormat'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'seed'
  | 'stopSequences'
  | 'frequencyPenalty'
  | 'presencePenalty'
  | 'endUser'
  | 'thinking'
  | 'image'
  | 'speech'
  | 'audioFormat'
  | 'transcription'
  | 'mediaResolution'
  | 'safety'
  | 'serviceTier';

const isAsked: { readonly [S in Setting]: (call: GenerationCall) => boolean } = {
  systemInstruction: ({ systemInstruction }) => systemInstruction !== null,
  tools: ({ tools, toolChoice }) => tools.length > 0 || (toolChoice.kind !== 'auto' && toolChoice.kind !== 'none'),
  responseFormat: ({ responseFormat }) => responseFormat.kind !== 'text',
  temperature: ({ sampling }) => sampling.temperature !== undefined,
  topP: ({ sampling }) => sampling.topP !== undefined,
  topK: ({ sampling }) => sampling.topK !== undefined,
  seed: ({ sampling }) => sampling.seed !== undefined,
  stopSequences: ({ sampling }) => (sampling.stopSequences ?? []).length > 0,
  frequencyPenalty: ({ sampling }) => sampling.frequencyPenalty !== undefined,
  presencePenalty: ({ sampling }) => sampling.presencePenalty !== undefined,
  endUser: ({ endUser }) => endUser !== undefined,
  thinking: ({ thinking }) => thinking !== undefined,
  image: ({ image }) => image?.aspectRatio !== undefined || image?.size !== undefined || image?.pixels !== undefined,
  speech: ({ speech }) => speech !== undefined,
  audioFormat: ({ audioFormat }) => audioFormat !== undefined,
  transcription: ({ transcription }) => transcription !== undefined,
  mediaResolution: ({ mediaResolution }) => mediaResolution !== undefined,
  safety: ({ safety }) => (safety ?? []).length > 0,
  serviceTier: ({ serviceTier = 'standard' }) => serviceTier !== 'standard',
};

export interface SinglePrompt {
  /** Texts in order, on lines of their own. */
  readonly text: string;
  readonly media: readonly (MediaPart | BlobPart)[];
}

export interface SinglePromptRules {
  /** What the model can be asked for. Anything else that was asked for is refused. */
  readonly carried: readonly Setting[];
  /** What comes out; a call that names what may come out must name it. */
  readonly output: 'text' | 'image' | 'audio';
}

/** Reads a call for a model that takes one prompt and no conversation. Throws `NotExecuted` for anything more. */
export const readSinglePrompt = (call: GenerationCall, { carried, output }: SinglePromptRules): SinglePrompt => {
  // Sound: the keys of a record of settings are settings.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  for (const setting of Object.keys(isAsked) as Setting[]) {
    if (!carried.includes(setting) && isAsked[setting](call))
      refuse(`${setting}, which a model of this kind has not`, setting);
  }
  const unplaced = unplacedImageField(call.image, output === 'image' ? ['count'] : []);
  if (unplaced !== undefined) refuse('a setting of images, which the model has not', unplaced);
  if (call.modalities !== undefined && !call.modalities.includes(output))
    refuse(`an answer without ${output}`, 'modalities');
  const [turn, ...others] = call.contents;
  if (turn === undefined || turn.role !== 'user' || others.length > 0) return refuse('more than one turn', 'contents');
  const texts: string[] = [];
  const media: (MediaPart | BlobPart)[] = [];
  for (const part of turn.parts) {
    if (part.kind === 'text') texts.push(part.text);
    else if (part.kind === 'media' || part.kind === 'blob') media.push(part);
    else refuse(`a ${part.kind} in a single prompt`, 'contents');
  }
  return { text: texts.join('\n'), media };
};
