// The pure decisions by themselves: for proofs, reconcilers and adapters that want to see what a step does.
export { accessKeys, refuseAccess, type AccessIds } from './decisions/access.ts';
export { captureKeys, decideCapture, type CaptureAnswer, type CaptureCommand } from './decisions/capture.ts';
export {
  createFileKeys,
  decideCreateFile,
  type CreateFileAnswer,
  type CreateFileCommand,
} from './decisions/create-file.ts';
export { decideDeleteFile, type DeleteFileAnswer, type DeleteFileCommand } from './decisions/delete-file.ts';
export { decideDeposit, depositKeys, type DepositAnswer, type DepositCommand } from './decisions/deposit.ts';
export { decideDoubt, doubtKeys, type DoubtAnswer, type DoubtCommand } from './decisions/doubt.ts';
export { decideExtend, extendKeys, type ExtendAnswer, type ExtendCommand } from './decisions/extend.ts';
export { decideFail, failKeys, type FailAnswer, type FailCommand } from './decisions/fail.ts';
export { decideOpen, identityId, openKeys, type OpenAnswer, type OpenCommand } from './decisions/open.ts';
export { decidePurge, purgeKeys, type PurgeAnswer, type PurgeCommand } from './decisions/purge.ts';
export { decideRenew, renewKeys, type RenewCommand } from './decisions/renew.ts';
export { decideSettle, settleKeys, type Evidence, type SettleAnswer, type SettleCommand } from './decisions/settle.ts';
