export { closeCodes, type CloseReason } from './close-code.ts';
export { defaultLiveLimits, type LiveLimits } from './live-limits.ts';
export { createLiveRelay, type LiveModel, type LiveRelay, type LiveRelayOptions } from './live-relay.ts';
export type { LiveSocket } from './live-socket.ts';
export type { SessionInput, SessionTimer } from './session-input.ts';
export type { SessionOutput } from './session-output.ts';
export { firstState, type SessionState, type Used } from './session-state.ts';
export { stepSession, type SessionStep } from './step-session.ts';
