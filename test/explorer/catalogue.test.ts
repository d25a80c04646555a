import { expect, test } from 'vitest';
import { surfaces } from './catalogue.ts';
import { findCatalogueRole } from './expected.ts';
import { findRequiredRole, listObsoleteEntries } from './required-roles.ts';

// The roles that the features declare are those of the list in this folder. `access.test.ts` shows that they are enforced.

test.each(
  surfaces.map((surface) => [`${surface.feature}: ${surface.surface} ${surface.id}`, surface] as const),
)('%s requires the listed role', (_name, surface) => {
  expect(findCatalogueRole(surface, surface), `the role of ${surface.key} in required-roles.ts`).toBe(
    findRequiredRole(surface),
  );
});

test('no role is listed for a surface that no longer exists', () => {
  expect(listObsoleteEntries(surfaces)).toEqual([]);
});
