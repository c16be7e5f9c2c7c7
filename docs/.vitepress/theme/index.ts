import DefaultTheme from 'vitepress/theme';
// A style sheet has nothing to assign.
// oxlint-disable-next-line import/no-unassigned-import
import './tables.css';

export default DefaultTheme;
