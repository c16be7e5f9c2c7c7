export { s3Blobs } from './s3-blobs.ts';
export type { S3BlobsOptions, S3Fetch } from './s3-options.ts';
