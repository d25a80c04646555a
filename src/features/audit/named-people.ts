import type { Call } from '../../slack/feature.ts';

interface NamedPerson {
  id: string;
  /** As it was typed. */
  name: string;
}

/** People of larger workspaces are found on the first pages. */
const PAGE = 200;
const MOST_PAGES = 10;
const MOST_PEOPLE = 5;

/**
 * Takes people out of what was typed: Slack hands on "@Mira Vos" as a name, which the record does not hold, and in
 * some places `<@U0…>`. A name that is nobody's stays among the words.
 */
export async function namedPeople(
  call: Pick<Call<unknown>, 'client' | 'who'>,
  text: string,
): Promise<{ people: NamedPerson[]; rest: string }> {
  const people: NamedPerson[] = [];
  const rest = text.replace(/<@([A-Z0-9]+)(?:\|([^<>]*))?>/g, (_whole, id: string, name?: string) => {
    people.push({ id, name: `@${name || id}` });
    return ' ';
  });
  if (!rest.includes('@')) return { people, rest };
  const known = await namesIn(call);
  return {
    people,
    rest: rest
      .split(/(?=@)/)
      .map((part) => {
        const found = part.startsWith('@') ? longest(known, part.slice(1)) : undefined;
        if (!found || people.length >= MOST_PEOPLE) return part;
        people.push({ id: found.id, name: part.slice(0, found.name.length + 1) });
        return part.slice(found.name.length + 1);
      })
      .join(''),
  };
}

/** The longest name that these words begin with. */
function longest(known: readonly NamedPerson[], words: string): NamedPerson | undefined {
  const begun = words.toLowerCase();
  return known
    .filter(
      ({ name }) => begun.startsWith(name.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(words.slice(name.length)),
    )
    .toSorted((one, other) => other.name.length - one.name.length)
    .at(0);
}

/** Everybody's names; those who have left too, for the record goes back further. */
async function namesIn({ client, who }: Pick<Call<unknown>, 'client' | 'who'>): Promise<NamedPerson[]> {
  const found: NamedPerson[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const at = { limit: PAGE, team_id: who.workspace, ...(cursor && { cursor }) };
    const { members = [], response_metadata: next } = await client.users.list(at);
    for (const { id = '', name, real_name: real, profile } of members) {
      const names = [name, real, profile?.display_name].filter((one) => one !== undefined && one !== '');
      found.push(...names.map((one) => ({ id, name: one ?? '' })));
    }
    cursor = next?.next_cursor;
    if (!cursor) break;
  }
  return found;
}
