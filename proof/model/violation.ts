/** Everything that is checked after every step of every history. */
export const checkNames = [
  // What a step may write.
  'no_throw',
  'amounts_are_whole_numbers',
  'refused_changes_nothing',
  'touches_only_its_own',
  'appended_once',
  // The invariants of the ledger.
  'reserved_within_balance',
  'entries_sum_to_balance',
  'entries_gap_free',
  'entries_carry_balance',
  'holds_sum_to_reserved',
  'remainder_is_carried',
  'spends_sum_to_holds',
  'cap_not_exceeded',
  'every_change_has_its_seq',
  'legal_moves_only',
  'no_hold_on_ended',
  'hold_kept_until_the_end',
  'no_debit_on_failed',
  'one_debit_without_captures',
  'debits_match_charge',
  'usage_matches_ledger',
  'answer_stored_as_told',
  // Identity and repetition.
  'one_operation_an_identity',
  'identity_lives_with_its_operation',
  'one_execution_an_operation',
  'repeating_changes_nothing',
  'repeating_tells_the_same',
  // Work that is done later.
  'works_on_its_own',
  'states_of_the_kind',
  'ended_shows_its_end',
  'used_is_kept',
  'ended_is_not_used',
  'items_begin_once',
  // Webhooks and schedules.
  'event_with_its_end',
  'one_delivery_an_event',
  'tries_are_bounded',
  'one_occurrence_an_instant',
  // Against the reference model.
  'tells_what_is_on_record',
  'answers_as_the_model',
  'records_as_the_model',
  // Against the same history in batches.
  'batch_equals_one_by_one',
] as const;

export type CheckName = (typeof checkNames)[number];

/** A broken promise, and the step of the history at which it was seen. */
export interface Violation {
  readonly check: CheckName;
  readonly detail: string;
  readonly step: number;
}

/** What a check found, before its step is known. */
export type Found = Omit<Violation, 'step'> | null;

export const found = (check: CheckName, detail: string): NonNullable<Found> => ({ check, detail });
