import {
  fieldPath,
  GatewayError,
  isRecord,
  readAt,
  type CatalogModel,
  type JsonRecord,
  type Path,
} from '@tollgate/contract';
import type { ImageSettings, Modality } from '@tollgate/provider';
import { z } from 'zod';
import { present } from '../../../present.ts';
import type { AnswerHead } from '../../generation/generation-dialect.ts';
import type { AnswerMedia } from '../../generation/kept-answer.ts';
import { formatOf, said } from '../images/image-answer.ts';
import { imageFields } from '../images/image-body.ts';
import { toImageSettings } from '../images/image-settings.ts';

export const imageToolType = 'image_generation';

/** The model that responds is the one that draws, and an image is shown when it is whole. */
const ImageTool = z.strictObject({
  type: z.literal(imageToolType),
  ...imageFields,
  action: z.literal('auto').nullish(),
  input_fidelity: z.null().optional(),
  input_image_mask: z.null().optional(),
  model: z.null().optional(),
});

/** A tool of a request by which its model draws, as the client wrote it. */
export interface OfferedImageTool {
  readonly tool: unknown;
  readonly path: Path;
}

/** How far the choice of a tool asks for an image. */
export type ImageChoice = 'forced' | 'free' | 'none';

/** What a model is to draw. */
export interface Drawing {
  readonly modalities: readonly Modality[];
  readonly image: ImageSettings;
  /** As the response lists it. */
  readonly tool: unknown;
}

const modalitiesOf: Readonly<Record<ImageChoice, readonly Modality[]>> = {
  forced: ['image'],
  free: ['text', 'image'],
  none: ['text'],
};

const twice = (): GatewayError =>
  new GatewayError('invalid_request', {
    detail: `The field tools holds ${imageToolType} twice; accepted is each tool once.`,
  });

const makesNone = ({ id }: CatalogModel): GatewayError =>
  new GatewayError('model_incompatible', {
    detail: `The field tool_choice asks for ${imageToolType}, and the model ${id} makes no images; accepted is auto, or a model that offers ${imageToolType}.`,
  });

/**
 * What a model is to draw; null where it makes no images. Agents offer the tool unasked, so it is then left out, unless the request
 * forces it.
 */
export const drawingOf = (
  offered: readonly OfferedImageTool[],
  choice: ImageChoice,
  model: CatalogModel,
): Drawing | null => {
  const [first, second] = offered;
  if (first === undefined) return null;
  if (!model.capabilities.includes(imageToolType)) {
    if (choice === 'forced') throw makesNone(model);
    return null;
  }
  if (second !== undefined) throw twice();
  const { tool, path } = first;
  const image = toImageSettings(readAt(ImageTool, tool, path), fieldPath([...path, 'size']));
  return { modalities: modalitiesOf[choice], image, tool };
};

const isImageTool = (tool: unknown): tool is JsonRecord => isRecord(tool) && tool['type'] === imageToolType;

/** An item with an image, and with what the request said of it. */
export const imageItem = ({ echo }: AnswerHead, { mimeType, data, context }: AnswerMedia): object => {
  const tools: readonly unknown[] = Array.isArray(echo['tools']) ? echo['tools'] : [];
  const { size, quality, background } = tools.find(isImageTool) ?? {};
  return {
    type: 'image_generation_call',
    result: data,
    output_format: formatOf(mimeType),
    ...present('size', said(size)),
    ...present('quality', said(quality)),
    ...present('background', said(background)),
    ...present('encrypted_content', context),
  };
};

/** The events between the opening and the end of such an item. */
export const imageEvents = ['in_progress', 'generating', 'completed'].map(
  (stage) => `response.image_generation_call.${stage}`,
);
