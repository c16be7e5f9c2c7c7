export { closeCodes, type CloseReason } from './close-code.ts';
export { defaultLiveLimits, liveLimitsCheck, type LiveLimits } from './live-limits.ts';
export type { LiveModel } from './live-model.ts';
export { createLiveRelay, type LiveRelay, type LiveRelayOptions } from './live-relay.ts';
export type { LiveSocket } from './live-socket.ts';
export type { SessionInput, SessionTimer } from './session-input.ts';
export type { SessionOutput } from './session-output.ts';
export { firstState, type SessionState, type Used } from './session-state.ts';
export { stepSession, type SessionStep } from './step-session.ts';
