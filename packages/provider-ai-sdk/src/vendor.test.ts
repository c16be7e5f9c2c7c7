import { expect, test } from 'vitest';
import { vendorByPrefix } from './vendor.ts';

test.each([
  ['google.generative-ai', 'google'],
  ['google.vertex.chat', 'google'],
  ['googleVertex.anthropic.messages', 'anthropic'],
  ['vertex.anthropic.messages', 'anthropic'],
  ['anthropic.messages', 'anthropic'],
  ['openai.responses', 'openai'],
  ['azure.responses', 'openai'],
  ['azure-openai.chat', 'openai'],
  ['gateway', 'other'],
  ['local.chat', 'other'],
  ['', 'other'],
])('tells the vendor of %s', (provider, vendor) => {
  expect(vendorByPrefix({ provider, modelId: 'm' })).toBe(vendor);
});
