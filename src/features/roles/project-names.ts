import type { Call } from '../../app/call.ts';

/** Reads the project names by id. Resolves with an empty map if the service doesn't answer. */
export async function readProjectNames({ context }: Call): Promise<ReadonlyMap<string, string>> {
  const outcome = await context.reads.listProjects(context.api);
  const items = outcome.kind === 'done' ? outcome.data.items : [];
  return new Map(items.map(({ id, name }) => [id, name]));
}
