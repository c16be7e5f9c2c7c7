// The pure decisions by themselves: for proofs, reconcilers and adapters that want to see what a step does.
export { referredKeyId } from './access/key-ids.ts';
export { refuseAccess, type AccessIds } from './decisions/access.ts';
export { capture, type CaptureAnswer, type CaptureCommand } from './decisions/capture.ts';
export { createFileStep, type CreateFileAnswer, type CreateFileCommand } from './decisions/create-file.ts';
export { deleteFileStep, type DeleteFileAnswer, type DeleteFileCommand } from './decisions/delete-file.ts';
export {
  collectDebt,
  depositStep,
  type CollectAnswer,
  type DepositAnswer,
  type DepositCommand,
} from './decisions/deposit.ts';
export { notePaymentStep, type PaymentAnswer, type PaymentCommand } from './decisions/payment.ts';
export { markUncertainStep, type MarkUncertainAnswer, type MarkUncertainCommand } from './decisions/mark-uncertain.ts';
export { extend, type ExtendAnswer, type ExtendCommand } from './decisions/extend.ts';
export { fail, type FailAnswer, type FailCommand } from './decisions/fail.ts';
export { hostEventKinds, type HostEventKind, type HostEventPolicy } from './decisions/host-event.ts';
export { identityId, open, type OpenAnswer, type OpenCommand } from './decisions/open.ts';
export { purge, type PurgeAnswer, type PurgeCommand } from './decisions/purge.ts';
export { renew, type RenewCommand } from './decisions/renew.ts';
export { settle, type Evidence, type SettleAnswer, type SettleCommand } from './decisions/settle.ts';
export type { Step } from './decisions/step.ts';
