import { previewOf, type CatalogModel, type CatalogShape } from './catalog-model.ts';

const multimodal = [
  'chat',
  'image_input',
  'audio_input',
  'video_input',
  'pdf_input',
  'structured_output',
  'functions',
  'code_execution',
  'url_context',
] as const;

const flash: CatalogShape = {
  family: 'text',
  profile: 'Fast general model for text, conversation and media analysis.',
  consumption: 'Metered by input and output tokens at the standard tariff.',
  preview: false,
  upstreamKind: 'model',
  routes: ['chat', 'generate', 'interactions'],
  capabilities: multimodal,
  maxOutputTokens: 65_536,
  contextTokens: 1_048_576,
};
const flashLite: CatalogShape = {
  ...flash,
  profile: 'Lightest general model, for short answers and high volume.',
  consumption: 'Metered by input and output tokens at the light tariff.',
};
const pro: CatalogShape = {
  ...flash,
  profile: 'Most capable general model, for long reasoning and code.',
  consumption: 'Metered by input and output tokens at the high tariff.',
};
const open: CatalogShape = {
  ...flash,
  profile: 'Open-weights model for text and image analysis.',
  consumption: 'Metered by input and output tokens at the light tariff.',
  capabilities: ['chat', 'image_input', 'structured_output', 'functions'],
  maxOutputTokens: 32_768,
  contextTokens: 262_144,
};
const robotics: CatalogShape = { ...flash, profile: 'Spatial reasoning over images and video for physical tasks.' };
const computerUse: CatalogShape = {
  ...flash,
  profile: 'Proposes steps in a browser from screenshots.',
  routes: ['interactions'],
  capabilities: ['image_input', 'functions', 'computer_use'],
  contextTokens: 131_072,
};
const answers: CatalogShape = {
  ...flash,
  profile: 'Answers a question from the passages given with it.',
  routes: ['generate'],
  capabilities: ['attributed_answers'],
  maxOutputTokens: 1024,
  contextTokens: 7168,
};
const agent: CatalogShape = {
  ...flash,
  upstreamKind: 'agent',
  profile: 'Agent that works in an environment over several steps.',
  consumption: 'Metered by tokens and by the tools that it executes.',
  routes: ['interactions'],
  capabilities: ['code_execution', 'url_context', 'web_search'],
};
const research: CatalogShape = { ...agent, profile: 'Agent that researches a question and writes a report.' };

/** The default rows of the text family, agents included. */
export const textRows: readonly CatalogModel[] = [
  { ...flash, id: 'flash-2.5', name: 'Flash 2.5', recommended: false, upstreamId: 'gemini-2.5-flash' },
  { ...pro, id: 'pro-2.5', name: 'Pro 2.5', recommended: false, upstreamId: 'gemini-2.5-pro' },
  { ...open, id: 'open-4-26b-a4b-it', name: 'Open 4 26B', recommended: false, upstreamId: 'gemma-4-26b-a4b-it' },
  { ...open, id: 'open-4-31b-it', name: 'Open 4 31B', recommended: false, upstreamId: 'gemma-4-31b-it' },
  { ...flash, id: 'flash-latest', name: 'Flash, latest', recommended: false, upstreamId: 'gemini-flash-latest' },
  {
    ...flashLite,
    id: 'flash-lite-latest',
    name: 'Flash Lite, latest',
    recommended: false,
    upstreamId: 'gemini-flash-lite-latest',
  },
  { ...pro, id: 'pro-latest', name: 'Pro, latest', recommended: false, upstreamId: 'gemini-pro-latest' },
  {
    ...flashLite,
    id: 'flash-lite-2.5',
    name: 'Flash Lite 2.5',
    recommended: false,
    upstreamId: 'gemini-2.5-flash-lite',
  },
  {
    ...previewOf(flash),
    id: 'flash-3-preview',
    name: 'Flash 3 preview',
    recommended: false,
    upstreamId: 'gemini-3-flash-preview',
  },
  {
    ...previewOf(pro),
    id: 'pro-3.1-preview',
    name: 'Pro 3.1 preview',
    recommended: false,
    upstreamId: 'gemini-3.1-pro-preview',
  },
  {
    ...previewOf(pro),
    id: 'pro-3.1-preview-customtools',
    name: 'Pro 3.1 preview, custom tools',
    recommended: false,
    upstreamId: 'gemini-3.1-pro-preview-customtools',
  },
  {
    ...previewOf(flashLite),
    id: 'flash-lite-3.1-preview',
    name: 'Flash Lite 3.1 preview',
    recommended: false,
    upstreamId: 'gemini-3.1-flash-lite-preview',
  },
  {
    ...flashLite,
    id: 'flash-lite-3.1',
    name: 'Flash Lite 3.1',
    recommended: false,
    upstreamId: 'gemini-3.1-flash-lite',
  },
  { ...flash, id: 'flash-3.5', name: 'Flash 3.5', recommended: false, upstreamId: 'gemini-3.5-flash' },
  {
    ...flashLite,
    id: 'flash-lite-3.5',
    name: 'Flash Lite 3.5',
    recommended: false,
    upstreamId: 'gemini-3.5-flash-lite',
  },
  { ...flash, id: 'flash-3.6', name: 'Flash 3.6', recommended: false, upstreamId: 'gemini-3.6-flash' },
  { ...flash, id: 'flash-3.7', name: 'Flash 3.7', recommended: false, upstreamId: 'gemini-3.7-flash' },
  { ...flash, id: 'flash-3.8', name: 'Flash 3.8', recommended: true, upstreamId: 'gemini-3.8-flash' },
  {
    ...previewOf(robotics),
    id: 'robotics-er-2-preview',
    name: 'Robotics ER 2 preview',
    recommended: false,
    upstreamId: 'gemini-robotics-er-2-preview',
  },
  {
    ...previewOf(computerUse),
    id: '2.5-computer-use-preview-10-2025',
    name: 'Computer use 2.5 preview 10-2025',
    recommended: false,
    upstreamId: 'gemini-2.5-computer-use-preview-10-2025',
  },
  {
    ...previewOf(agent),
    id: 'antigravity-preview-05-2026',
    name: 'Antigravity preview 05-2026',
    recommended: false,
    upstreamId: 'antigravity-preview-05-2026',
  },
  {
    ...previewOf(research),
    id: 'deep-research-max-preview-04-2026',
    name: 'Deep research max preview 04-2026',
    recommended: false,
    upstreamId: 'deep-research-max-preview-04-2026',
  },
  {
    ...previewOf(research),
    id: 'deep-research-preview-04-2026',
    name: 'Deep research preview 04-2026',
    recommended: false,
    upstreamId: 'deep-research-preview-04-2026',
  },
  {
    ...previewOf(research),
    id: 'deep-research-pro-preview-12-2025',
    name: 'Deep research pro preview 12-2025',
    recommended: false,
    upstreamId: 'deep-research-pro-preview-12-2025',
  },
  { ...answers, id: 'aqa', name: 'Attributed answers', recommended: false, upstreamId: 'aqa' },
];
