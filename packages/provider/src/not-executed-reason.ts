/** Why nothing ran, in terms the gateway can answer with. */
export type NotExecutedReason =
  /**
   * The provider cannot express the call: its upstream has no place for a setting, a tool or a content of it. Nothing was sent, and
   * another provider may be able to. Alone it is refused as `invalid_request` is: 422.
   */
  | 'unsupported'
  /** The upstream refused the content or a setting: 422. */
  | 'invalid_request'
  /** The input is too large for the model: 422. */
  | 'input_limit'
  /** The upstream is out of quota or asks to come later: 503 with Retry-After. */
  | 'rate_limited'
  /** The upstream could not be reached, or refuses the host's credentials or model: 503. */
  | 'unavailable'
  /** The upstream answered definitely that it failed: 502. */
  | 'failed'
  /** The client left before anything was handed over: 499. */
  | 'cancelled';
