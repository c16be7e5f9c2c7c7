import { z } from 'zod';
import { resourceRecordSchemas } from '../resource-record.ts';

/** A finished video as its record shows it [videos:result:urls]. */
const GeneratedVideo = z.looseObject({
  url: z.string().meta({ description: 'An absolute path with the prefix, to be asked for with the key.' }),
  mime_type: z.literal('video/mp4'),
  index: z.int().min(0),
});

/** The record of a video in its three forms [videos:record:fields]. */
export const videoSchemas = resourceRecordSchemas('video', {
  shown: {
    duration_seconds: z.number().min(0).nullable(),
    resolution: z.string().nullable(),
    aspect_ratio: z.string().nullable(),
    video: z.uuid().exactOptional().meta({ description: 'The video that this one continues.' }),
  },
  result: { videos: z.array(GeneratedVideo) },
});
