import { namesOf } from '../../../field-names.ts';
import type { GenerationDialect } from '../../generation/generation-dialect.ts';
import { openImageStream, writeImages } from './image-answer.ts';
import { editForm } from './image-body.ts';
import { readEdit, readGeneration } from './read-image-request.ts';

const shared = {
  kind: 'generate',
  keepsMedia: true,
  dataUrls: true,
  fieldNames: namesOf({
    contents: 'prompt',
    image: 'size',
    imageCount: 'n',
    imageQuality: 'quality',
    imageBackground: 'background',
    imageFormat: 'output_format',
    modalities: 'model',
    endUser: 'user',
  }),
  schemaField: 'prompt',
  openStream: openImageStream,
  writeWhole: writeImages,
} as const;

/** `POST /images/generations`: an image of a text, by a model that makes images. */
export const imageGenerations: GenerationDialect = {
  ...shared,
  name: 'openai-images',
  path: '/images/generations',
  mediaPlaces: [],
  read: readGeneration,
};

/** `POST /images/edits`: an image of a text and other images, as a form or as JSON. */
export const imageEdits: GenerationDialect = {
  ...shared,
  name: 'openai-image-edits',
  path: '/images/edits',
  mediaPlaces: ['images.*.image_url'],
  form: editForm,
  read: readEdit,
};
