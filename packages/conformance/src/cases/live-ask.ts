export const needs = ['realtime'] as const;

export const directing = ['realtime', 'test-mode'] as const;
