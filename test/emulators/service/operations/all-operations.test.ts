import { expect, test } from 'vitest';
import { allOperations } from '../../../../src/emulators/service/operations/all-operations.ts';
import { documentedOperations } from '../documented-operations.ts';

test('every operation of the document is carried out, and none besides', () => {
  const documented = documentedOperations.map(({ id }) => id);
  expect(documented).toHaveLength(14);
  expect(Object.keys(allOperations).toSorted()).toEqual(documented.toSorted());
});
