import type { CloseReason } from './close-code.ts';
import { badAccessFrame, limitedFrame } from './server-frame.ts';
import type { SessionInput } from './session-input.ts';
import type { SessionOutput } from './session-output.ts';

/** What keeps a session from being opened once its access was checked. */
export type Unopened = Extract<SessionInput, { readonly kind: 'access_refused' | 'access_limited' | 'access_unknown' }>;

export const isUnopened = (input: SessionInput): input is Unopened =>
  input.kind === 'access_refused' || input.kind === 'access_limited' || input.kind === 'access_unknown';

const parting = (reason: CloseReason, text?: string): readonly SessionOutput[] => [
  ...(text === undefined ? [] : [{ kind: 'send', text } as const]),
  { kind: 'close', reason },
];

const partingOf = (input: Unopened): readonly SessionOutput[] => {
  switch (input.kind) {
    case 'access_refused':
      return parting('badAccess', badAccessFrame);
    case 'access_limited':
      return parting('limited', limitedFrame(input.code, input.detail));
    case 'access_unknown':
      return parting('lost');
  }
};

/** The last outputs of a session that is not opened; of one whose access was good, nothing ran and the hold is free again. */
export const outputsOfUnopened = (input: Unopened, clientOpen: boolean): readonly SessionOutput[] => [
  ...(clientOpen ? partingOf(input) : []),
  ...(input.kind === 'access_limited'
    ? [{ kind: 'end', end: { kind: 'not_executed', errorCode: input.code } } as const]
    : []),
];
