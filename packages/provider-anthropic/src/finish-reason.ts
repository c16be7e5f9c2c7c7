import { asText, UnknownOutcome, type FinishReason, type UntrustedObject } from '@tollgate/provider';

/** Whether the message ended where there was no room for more of it. */
export const isCutAtLimit = (message: UntrustedObject): boolean =>
  message['stop_reason'] === 'max_tokens' || message['stop_reason'] === 'model_context_window_exceeded';

/** How a message ended; a reason that is not known does not say that it is complete. One that does not say it is none. */
export const finishOf = (message: UntrustedObject): FinishReason | 'paused' => {
  const reason = asText(message['stop_reason']);
  switch (reason) {
    case undefined:
      throw new UnknownOutcome('interrupted');
    case 'pause_turn':
      return 'paused';
    case 'refusal':
      return 'content_filter';
    case 'end_turn':
    case 'stop_sequence':
    case 'tool_use':
      return 'stop';
    default:
      return 'length';
  }
};
