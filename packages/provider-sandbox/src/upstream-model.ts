import type { GenerationCall, Modality } from '@tollgate/provider';

/** What the sandbox tells from the upstream's name of a model; the first row that fits counts. */
interface UpstreamModel {
  readonly name: RegExp;
  /** What comes out where a call does not say. */
  readonly modalities: readonly Modality[];
  /** Reads the text aloud instead of answering it. */
  readonly speaks: boolean;
  /** Sound without a container, as older speech models give it. */
  readonly rawAudio: boolean;
}

const upstreamModels: readonly UpstreamModel[] = [
  { name: /-preview-tts$/, modalities: ['audio'], speaks: true, rawAudio: true },
  { name: /-tts(?:-|$)/, modalities: ['audio'], speaks: true, rawAudio: false },
  { name: /-image(?:-|$)|^nano-banana/, modalities: ['text', 'image'], speaks: false, rawAudio: false },
  { name: /^/, modalities: ['text'], speaks: false, rawAudio: false },
];

const modelOf = ({ upstreamModel }: GenerationCall): UpstreamModel | undefined =>
  upstreamModels.find(({ name }) => name.test(upstreamModel));

/** What is to come out of a call. */
export const modalitiesOf = (call: GenerationCall): ReadonlySet<Modality> => {
  const unsaid: readonly Modality[] = call.speech === undefined ? (modelOf(call)?.modalities ?? []) : ['audio'];
  return new Set(call.modalities ?? unsaid);
};

/** Whether the model reads its text aloud. */
export const readsAloud = (call: GenerationCall): boolean => modelOf(call)?.speaks ?? false;

/** Whether the model's sound has no container. */
export const givesRawAudio = (call: GenerationCall): boolean => modelOf(call)?.rawAudio ?? false;
