import type { Call } from '../../app/call.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';

interface PersonName {
  id: string;
  /** As the user typed it, or as Slack lists it. */
  name: string;
}

/** The members that are searched by name: 2,000. Other members can only be found by their id. */
const PAGE_SIZE = 200;
const MAX_PAGES = 10;
const MAX_PEOPLE = 5;

/**
 * Splits a search into the people it mentions and the other words. Slack sends a mention as `<@U0…>` or as the name
 * ("@Mira Vos"), and the record only stores ids. A name that matches nobody, or several people, stays a search word.
 */
export async function findMentionedPeople(
  call: Pick<Call, 'client' | 'actor' | 'log' | 'reference'>,
  text: string,
): Promise<{ people: PersonName[]; rest: string }> {
  const people: PersonName[] = [];
  const rest = text.replace(/<@([A-Z0-9]+)(?:\|([^<>]*))?>/g, (_whole, id: string, name?: string) => {
    people.push({ id, name: `@${name || id}` });
    return ' ';
  });
  if (!rest.includes('@')) return { people, rest };
  const known = await listPersonNames(call);
  return {
    people,
    rest: rest
      .split(/(?<=^|\s)(?=@)/)
      .map((part) => {
        const found = part.startsWith('@') ? findLongestName(known, part.slice(1)) : undefined;
        if (!found || people.length >= MAX_PEOPLE) return part;
        people.push({ id: found.id, name: part.slice(0, found.name.length + 1) });
        return part.slice(found.name.length + 1);
      })
      .join(''),
  };
}

/** The person with the longest name that the text starts with; undefined if nobody, or several people, have it. */
function findLongestName(known: readonly PersonName[], words: string): PersonName | undefined {
  const lowerCaseWords = words.toLowerCase();
  const named = known.filter(
    ({ name }) =>
      lowerCaseWords.startsWith(name.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(words.slice(name.length)),
  );
  const length = Math.max(...named.map(({ name }) => name.length));
  const [found, ...others] = named.filter(({ name }) => name.length === length);
  return others.every(({ id }) => id === found?.id) ? found : undefined;
}

/** All names of current and former members. Former members are still in the record. On failure, the pages so far. */
async function listPersonNames(call: Parameters<typeof findMentionedPeople>[0]): Promise<PersonName[]> {
  const { client, actor, log, reference } = call;
  const found: PersonName[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const at = { limit: PAGE_SIZE, team_id: actor.workspace, ...(cursor && { cursor }) };
    const response = await client.users.list(at).catch((error: unknown) => {
      log.warn({ reference, code: getSlackErrorCode(error) }, 'could not list the users of the workspace');
      return { members: [], response_metadata: undefined };
    });
    const { members = [], response_metadata: next } = response;
    for (const { id = '', name, real_name: real, profile } of members) {
      const names = [name, real, profile?.display_name].filter((one) => one !== undefined && one !== '');
      found.push(...names.map((one) => ({ id, name: one ?? '' })));
    }
    cursor = next?.next_cursor;
    if (!cursor) break;
  }
  return found;
}
