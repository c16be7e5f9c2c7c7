import { base64Of } from '@tollgate/provider-http';
import { toState, type WireContent, type WirePart } from './to-google-contents.ts';

const partOf = (part: WirePart): unknown =>
  part.kind === 'json'
    ? part.value
    : { inlineData: { mimeType: part.blob.mimeType, data: base64Of(part.blob) }, ...toState(part.blob) };

/** A turn as JSON, for a request that holds it somewhere inside. */
export const contentJson = ({ role, parts }: WireContent): object => ({ role, parts: parts.map(partOf) });
