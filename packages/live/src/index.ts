export { defaultLiveLimits, type LiveLimits } from './live-limits.ts';
