export { consoleHandler, type ConsoleOptions } from './console-handler.ts';
export { consoleSessions, sameText, type ConsoleSessions, type ConsoleSessionsOptions } from './console-sessions.ts';
