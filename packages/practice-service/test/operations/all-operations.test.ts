import { expect, test } from 'vitest';
import { allOperations } from '../../src/operations/all-operations.ts';
import { documentedOperations } from '../documented-operations.ts';

test('exactly the operations of the document are implemented', () => {
  const documented = documentedOperations.map(({ id }) => id);
  expect(documented).toHaveLength(14);
  expect(Object.keys(allOperations).toSorted()).toEqual(documented.toSorted());
});
