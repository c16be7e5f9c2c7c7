import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { OpenApiBrowser } from './openapi-browser.ts';
// A style sheet has nothing to assign.
// oxlint-disable-next-line import/no-unassigned-import
import './openapi-browser.css';
// oxlint-disable-next-line import/no-unassigned-import
import './tables.css';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('OpenApiBrowser', OpenApiBrowser),
};

export default theme;
