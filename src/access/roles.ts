/** From the least to the most: each may do what those before it may. */
export const ROLES = ['viewer', 'author', 'publisher', 'manager', 'owner'] as const;
export type Role = (typeof ROLES)[number];
