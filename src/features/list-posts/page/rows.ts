import type { Project } from '../../../api/projects.ts';
import type { Call } from '../../../app/call.ts';
import { copyOf, keepPostCopies } from '../../../forms/post-copies.ts';
import { fetchDisplayName } from '../../../slack/person-name.ts';
import type { Row } from './post-row.ts';
import type { Listed } from './read-list.ts';

/** The posts of a page with the names of who sent them; what is shown is kept, so that a press needs no service. */
export async function rowsOf(
  call: Call,
  project: Project,
  listed: readonly Listed[],
): Promise<readonly Row[]> {
  const names = await namesOf(call, listed);
  const seen = listed.map((one) => ({ ...one, by: names.get(one.author ?? '') }));
  const copies = await keepPostCopies(
    call,
    seen.map((one) => copyOf(project, one)),
  );
  return seen.map((one, index) => ({ ...one, copy: copies[index] ?? '' }));
}

async function namesOf(call: Call, listed: readonly Listed[]): Promise<ReadonlyMap<string, string>> {
  const people = [...new Set(listed.flatMap(({ author }) => author ?? []))];
  const named = await Promise.all(
    people.map(async (user) => {
      const name = user === call.who.user ? 'you' : await fetchDisplayName(call, user);
      return [user, name ?? 'somebody'] as const;
    }),
  );
  return new Map(named);
}
