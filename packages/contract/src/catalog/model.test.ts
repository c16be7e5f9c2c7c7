import { expect, test } from 'vitest';
import { knownCapabilities, Model, ModelList } from './model.ts';

const model: Model = {
  id: 'flash-2.5',
  object: 'model',
  name: 'Flash 2.5',
  family: 'text',
  profile: 'Fast.',
  consumption: 'By token.',
  recommended: true,
  available: true,
  usable_with_key: false,
  unavailable_reason: null,
  capabilities: ['chat'],
};

test('takes a model with every field and refuses one that lacks any [models:record:fields]', () => {
  expect(Model.parse(model)).toEqual(model);
  for (const field of Object.keys(model)) {
    const { [field]: _, ...rest } = { ...model } as Record<string, unknown>;
    expect(Model.safeParse(rest).success, field).toBe(false);
  }
});

test('lets a capability of the host through and knows the nine of the contract [models:capabilities:values]', () => {
  expect(knownCapabilities).toHaveLength(9);
  expect(Model.parse({ ...model, capabilities: ['chat', 'telepathy'] }).capabilities).toEqual(['chat', 'telepathy']);
});

test('wraps models in a list that names the selected one [models:list:envelope]', () => {
  const list = { object: 'list', selected_model: 'flash-2.5', data: [model] };
  expect(ModelList.parse(list)).toEqual(list);
  expect(ModelList.safeParse({ ...list, selected_model: null }).success).toBe(false);
  expect(ModelList.safeParse({ ...list, object: 'models' }).success).toBe(false);
});
