export const user = { role: 'user', content: 'Hello' };

export const many = (count: number): object => ({ messages: Array.from({ length: count }, () => user) });
