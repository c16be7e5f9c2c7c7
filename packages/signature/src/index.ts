export { sign, type SignedParts } from './sign.ts';
export { toleranceSeconds, verify, type Delivery, type Verdict, type VerifyOptions } from './verify.ts';
