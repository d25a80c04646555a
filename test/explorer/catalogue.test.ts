import { expect, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { getRequiredRole } from '../../src/app/narrowed-context.ts';
import { buildBlockId } from '../../src/forms/field.ts';
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

test('a draft requires the role contributor, and a scheduled post the role publisher', () => {
  const schedule = features.find(({ name }) => name === 'schedule-post');
  const createStatus = (value: string) => ({
    [buildBlockId('status', {})]: {
      'schedule-post.status': { type: 'radio_buttons', selected_option: { value } },
    },
  });
  const getRole = (value: string) =>
    schedule &&
    getRequiredRole(schedule, { surface: 'view', id: 'schedule-post', values: createStatus(value) });
  expect([getRole('DRAFT'), getRole('SCHEDULED')]).toEqual(['contributor', 'publisher']);
});
