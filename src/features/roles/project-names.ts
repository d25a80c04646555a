import type { Call } from '../../app/call.ts';

/** The names of the projects that there are, by id; none where the service does not answer. */
export async function projectNames({ context }: Call): Promise<ReadonlyMap<string, string>> {
  const outcome = await context.reads.listProjects(context.api);
  const items = outcome.kind === 'done' ? outcome.data.items : [];
  return new Map(items.map(({ id, name }) => [id, name]));
}
