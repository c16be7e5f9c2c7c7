import { z } from 'zod';
import { resourceRecordSchemas } from '../resource-record.ts';

// videos:result:urls
/** A finished video as its record shows it. */
const GeneratedVideo = z.looseObject({
  url: z.string().meta({ description: 'An absolute path with the prefix, to be asked for with the key.' }),
  mime_type: z.literal('video/mp4'),
  index: z.int().min(0),
});

// videos:record:fields
/** The record of a video in its three forms. */
export const videoSchemas = resourceRecordSchemas('video', {
  shown: {
    duration_seconds: z.number().min(0).nullable(),
    resolution: z.string().nullable(),
    aspect_ratio: z.string().nullable(),
    video: z.uuid().exactOptional().meta({ description: 'The video that this one continues.' }),
  },
  result: { videos: z.array(GeneratedVideo) },
});
