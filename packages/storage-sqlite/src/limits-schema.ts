/** What a limiter allows accounts and projects. */
export const limitsSchema = `
ALTER TABLE account ADD COLUMN limits TEXT;
ALTER TABLE project ADD COLUMN limits TEXT;
`;
