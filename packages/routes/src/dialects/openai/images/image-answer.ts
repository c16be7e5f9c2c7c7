import { GatewayError } from '@tollgate/contract';
import { encodeEvent } from '@tollgate/sse';
import type { OperationRecord } from '@tollgate/storage';
import { present } from '../../../present.ts';
import type { AnswerHead, SettledAnswer, StreamWriter } from '../../generation/generation-dialect.ts';
import { mediaIn } from '../../generation/kept-answer.ts';
import { errorEvent } from '../error-event.ts';
import { mediaTokens } from '../media-usage.ts';

const usageOf = (operation: OperationRecord) => {
  const { total, input, output, outputImages, inputOf } = mediaTokens(operation);
  const images = inputOf('image');
  return {
    input_tokens: input,
    input_tokens_details: { image_tokens: images, text_tokens: input - images },
    output_tokens: output,
    output_tokens_details: { image_tokens: outputImages, text_tokens: output - outputImages },
    total_tokens: total,
  };
};

/** `png` of `image/png`. */
export const formatOf = (mimeType: string): string => mimeType.replace(/^image\//, '').replace(/;.*$/, '');

export const said = (value: unknown): unknown => (value === 'auto' ? null : value);

/** The whole response. An answer without an image says why it ended. */
export const writeImages = ({ createdAtMs, echo }: AnswerHead, settled: SettledAnswer): string => {
  const { answer, operation, receipt } = settled;
  const { finish } = answer;
  const media = mediaIn(answer);
  return JSON.stringify({
    created: Math.floor(createdAtMs / 1_000),
    data: media.map(({ data }) => ({ b64_json: data })),
    ...present('output_format', media[0] === undefined ? null : formatOf(media[0].mimeType)),
    ...present('size', said(echo['size'])),
    ...present('quality', said(echo['quality'])),
    ...present('background', said(echo['background'])),
    ...present('finish_reason', media.length === 0 ? finish : null),
    usage: usageOf(operation),
    ...receipt,
  });
};

const noImage = (id: string): GatewayError =>
  new GatewayError('request_failed', {
    requestId: id,
    detail: 'The model ended without an image; what it used is charged, and the record of the request shows it.',
  });

const completedEvent = ({ createdAtMs, echo }: AnswerHead, settled: SettledAnswer, index: number): string => {
  const { answer, operation, receipt } = settled;
  const { mimeType, data } = mediaIn(answer)[index] ?? { mimeType: '', data: '' };
  const type = `${String(echo['type'])}.completed`;
  const event = {
    type,
    b64_json: data,
    background: echo['background'] ?? 'auto',
    created_at: Math.floor(createdAtMs / 1_000),
    output_format: formatOf(mimeType),
    quality: echo['quality'] ?? 'auto',
    size: echo['size'] ?? 'auto',
    usage: usageOf(operation),
    ...receipt,
  };
  return encodeEvent({ event: type, data: JSON.stringify(event) });
};

/** A stream of an image: no image is shown before it is whole, so nothing comes before the settlement. */
export const openImageStream = (head: AnswerHead): StreamWriter => ({
  piece: () => '',
  end: (settled) => {
    const images = mediaIn(settled.answer);
    return images.length === 0
      ? errorEvent(noImage(head.id))
      : images.map((_, index) => completedEvent(head, settled, index)).join('');
  },
  fail: errorEvent,
});
