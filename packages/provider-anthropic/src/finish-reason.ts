import { asText, UnknownOutcome, type FinishReason, type UntrustedObject } from '@tollgate/provider';

/** How a message ended; one that does not say it is none. */
export const finishOf = (message: UntrustedObject): FinishReason | 'paused' => {
  const reason = asText(message['stop_reason']);
  switch (reason) {
    case undefined:
      throw new UnknownOutcome('interrupted');
    case 'pause_turn':
      return 'paused';
    case 'refusal':
      return 'content_filter';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    default:
      return 'stop';
  }
};
