import { formBody, jsonBody } from '@tollgate/provider-http';
import { ask, refuse, type Asking } from '../ask.ts';
import type { GenerationWire } from '../generation-wire.ts';
import { checkBlobs } from '../inline-blobs.ts';
import { fromImages } from './from-images.ts';
import { cannotDraw, toEditForm, toImageFields } from './to-images.ts';

/** `POST /images/generations`, and `/images/edits` where the call brings images. */
export const imagesWire: GenerationWire = {
  generate: async (upstream, call, context) => {
    refuse(cannotDraw(call));
    checkBlobs(call, upstream.limits.inlineBytesMax);
    const { operationId } = call;
    const fields = toImageFields(call, upstream);
    const form = toEditForm(call, fields);
    const asking: Asking =
      form === null
        ? { path: 'images/generations', operationId, body: jsonBody(fields) }
        : { path: 'images/edits', operationId, ...formBody(form, `tollgate-${operationId}`) };
    return fromImages(await ask(upstream, context, asking), { apiKey: upstream.apiKey, format: call.image?.format });
  },
};
