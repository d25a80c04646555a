import { expect, test } from 'vitest';
import { createTenantTurns, runForTenant } from '../../src/store/tenant-turns.ts';

/** Asks for turns for these tenants one after the other. Returns the tenants in the order in which they got them. */
async function takeTurns(tenants: readonly string[]): Promise<string[]> {
  const turns = createTenantTurns();
  const taken: string[] = [];
  await Promise.all(
    tenants.map((tenant) =>
      runForTenant(tenant, async () => {
        await turns.acquire();
        taken.push(tenant);
        await Promise.resolve();
        turns.release();
      }),
    ),
  );
  return taken;
}

test('a tenant with many callers delays another one by one of them', async () => {
  expect(await takeTurns(['A', 'A', 'A', 'A', 'B', 'A', 'B'])).toEqual(['A', 'A', 'B', 'A', 'B', 'A', 'A']);
});

test('the callers of a tenant keep their order, and a free turn is taken at once', async () => {
  const turns = createTenantTurns();
  const taken: number[] = [];
  const take = async (number: number) => {
    await turns.acquire();
    taken.push(number);
    turns.release();
  };
  await Promise.all([1, 2, 3].map(take));
  await take(4);
  expect(taken).toEqual([1, 2, 3, 4]);
});
