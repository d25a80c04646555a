import type { Call } from '../../app/call.ts';
import { slackErrorCode } from '../../slack/slack-trouble.ts';

interface NamedPerson {
  id: string;
  /** As it was typed. */
  name: string;
}

/** In a workspace of more people those of later pages are found by their id alone. */
const PAGE = 200;
const MOST_PAGES = 10;
const MOST_PEOPLE = 5;

/**
 * Takes people out of what was typed: Slack hands on "@Mira Vos" as a name, which the record does not hold, and in
 * some places `<@U0…>`. A name that is nobody's, or several people's, stays among the
 * words: nobody is taken for somebody else.
 */
export async function namedPeople(
  call: Pick<Call, 'client' | 'who' | 'log' | 'reference'>,
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
      .split(/(?<=^|\s)(?=@)/)
      .map((part) => {
        const found = part.startsWith('@') ? longest(known, part.slice(1)) : undefined;
        if (!found || people.length >= MOST_PEOPLE) return part;
        people.push({ id: found.id, name: part.slice(0, found.name.length + 1) });
        return part.slice(found.name.length + 1);
      })
      .join(''),
  };
}

/** The longest name that these words begin with, where it is one person's. */
function longest(known: readonly NamedPerson[], words: string): NamedPerson | undefined {
  const begun = words.toLowerCase();
  const named = known.filter(
    ({ name }) => begun.startsWith(name.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(words.slice(name.length)),
  );
  const length = Math.max(...named.map(({ name }) => name.length));
  const [found, ...others] = named.filter(({ name }) => name.length === length);
  return others.every(({ id }) => id === found?.id) ? found : undefined;
}

/** Everybody's names; those who have left too, for the record goes back further. As many as Slack says. */
async function namesIn(call: Parameters<typeof namedPeople>[0]): Promise<NamedPerson[]> {
  const { client, who, log, reference } = call;
  const found: NamedPerson[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const at = { limit: PAGE, team_id: who.workspace, ...(cursor && { cursor }) };
    const said = await client.users.list(at).catch((error: unknown) => {
      log.warn({ reference, code: slackErrorCode(error) }, 'Slack did not say who is there');
      return { members: [], response_metadata: undefined };
    });
    const { members = [], response_metadata: next } = said;
    for (const { id = '', name, real_name: real, profile } of members) {
      const names = [name, real, profile?.display_name].filter((one) => one !== undefined && one !== '');
      found.push(...names.map((one) => ({ id, name: one ?? '' })));
    }
    cursor = next?.next_cursor;
    if (!cursor) break;
  }
  return found;
}
