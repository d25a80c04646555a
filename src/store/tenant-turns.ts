import { AsyncLocalStorage } from 'node:async_hooks';

const tenants = new AsyncLocalStorage<string>();

/** Runs work for a tenant. Where statements run one after the other, those of tenants take turns. */
export function runForTenant<Result>(workspace: string, work: () => Result): Result {
  return tenants.run(workspace, work);
}

/**
 * Creates a turn that one caller has at a time. Tenants take turns, and the callers of one in their order, so that a
 * tenant with a hundred waiting statements delays another one's by one. Work for no tenant counts as one of them.
 */
export function createTenantTurns() {
  /** The callers that wait, by tenant. The tenant whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  let isUsed = false;

  return {
    async acquire(): Promise<void> {
      if (!isUsed) {
        isUsed = true;
        return;
      }
      const tenant = tenants.getStore() ?? '';
      const callers = waiting.get(tenant) ?? [];
      waiting.set(tenant, callers);
      await new Promise<void>((resolve) => callers.push(resolve));
    },
    release(): void {
      const [next] = waiting;
      if (!next) {
        isUsed = false;
        return;
      }
      const [tenant, callers] = next;
      const start = callers.shift();
      waiting.delete(tenant);
      if (callers.length > 0) waiting.set(tenant, callers);
      start?.();
    },
  };
}
