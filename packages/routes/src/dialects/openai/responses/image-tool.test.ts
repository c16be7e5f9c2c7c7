import { defaultCatalog, type CatalogModel } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { drawingOf, imageItem } from './image-tool.ts';

const modelOf = (id: string): CatalogModel => {
  const model = defaultCatalog.find((each) => each.id === id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
};
const draws = modelOf('flash-3.1-image');
const writes = modelOf('flash-3.8');
const offer = (more: object = {}) => ({ tool: { type: 'image_generation', ...more }, path: ['tools', 2] });

test('asks a model that makes images for text and images, in the settings of the tool', () => {
  const offered = offer({ size: '512x512', quality: 'auto', background: 'transparent', partial_images: 2 });
  expect(drawingOf([offered], 'free', draws)).toEqual({
    modalities: ['text', 'image'],
    image: { aspectRatio: '1:1', pixels: '512x512', size: '512', background: 'transparent' },
    tool: offered.tool,
  });
  expect(drawingOf([], 'free', draws)).toBeNull();
});

test('leaves the tool out for a model that makes none, whatever the tool holds, unless the request forces it', () => {
  expect(drawingOf([offer({ frames: 3 }), offer()], 'free', writes)).toBeNull();
  expect(drawingOf([offer()], 'none', writes)).toBeNull();
  expect(() => drawingOf([offer()], 'forced', writes)).toThrow(/The field tool_choice .*flash-3\.8 makes no images/);
});

test.each([
  [{ size: '1x1' }, 'tools[2].size'],
  [{ quality: 7 }, 'tools[2].quality'],
  [{ action: 'edit' }, 'tools[2].action'],
  [{ output_compression: 50 }, 'tools[2].output_compression'],
  [{ model: 'other' }, 'tools[2].model'],
])('refuses %j, and names the field', (more, field) => {
  expect(() => drawingOf([offer(more)], 'free', draws)).toThrow(field);
});

test('an item says what the request said, and has the state of its upstream', () => {
  const head = { id: 'a', model: 'm', createdAtMs: 0 };
  const image = { kind: 'media', mimeType: 'image/jpeg', data: 'AAAA' } as const;
  expect(imageItem({ ...head, echo: {} }, image)).toEqual({
    type: 'image_generation_call',
    result: 'AAAA',
    output_format: 'jpeg',
  });
  const tools = [{ type: 'function' }, { type: 'image_generation', size: 'auto', quality: 'low' }];
  expect(imageItem({ ...head, echo: { tools } }, { ...image, context: 'sealed' })).toMatchObject({
    quality: 'low',
    encrypted_content: 'sealed',
  });
});
