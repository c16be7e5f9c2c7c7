const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text can be the id of anything here: ids are given out as uuids in lower case, and are no other text. */
export const isUuid = (text: string): boolean => uuid.test(text);
