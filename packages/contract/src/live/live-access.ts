import { z } from 'zod';

// live:create:response
/** The answer of POST /live. */
export const LiveAccess = z.looseObject({
  id: z.uuid().meta({ description: 'The session, and the request to query.' }),
  url: z
    .string()
    .regex(/^wss?:/)
    .meta({ description: 'Where the socket is opened; it takes no other credential.' }),
  access_key: z.string().meta({ description: 'Opens one socket, within 60 seconds.' }),
  expires_at: z.iso.datetime(),
});
