import type { Contract } from '../contract/read-contract.ts';
import { isOperationId, type OperationId } from '../operations/all-operations.ts';

/** Finds the operation of a request line (`GET`, `/api/v1/projects?limit=1`). */
export function createOperationLookup({
  operations,
}: Contract): (method: string, target: string) => OperationId | undefined {
  const routes = operations.map(({ id, method, path }) => ({
    id,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return (method, target) => {
    const [path = ''] = target.split('?');
    const id = routes.find((route) => route.method === method && route.pattern.test(path))?.id;
    return isOperationId(id) ? id : undefined;
  };
}
