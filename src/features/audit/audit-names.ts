import { z } from 'zod';
import type { RecordRow } from '../../access/access.ts';
import { listKnownProjects } from '../../api/cached-reads.ts';
import { getServiceId } from '../../api/project-ids.ts';
import { namedRecord } from '../../forms/field.ts';
import type { Reader } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import { isBackInPost } from '../../held-posts/hand-over/parts.ts';
import { toExcerpt } from '../../posts/post-text.ts';
import { mapLimited } from '../../promises.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import { readConfirmed } from '../../submissions/content.ts';
import { listFormSubmissions, listSubmissionsById } from '../../submissions/sql/lists.ts';
import { limitText } from '../../text-limits.ts';
import { HAND_OVER, type RecordedSubmission, renderClockTime, renderDate } from './audit-sentence.ts';

/** Reads the names of all projects. If the service doesn't answer, uses the names that it returned last. */
export async function readProjectNames({ context }: Pick<Call, 'context'>) {
  const projectList = await listKnownProjects(context);
  const namedProjects = (projectList?.items ?? []).filter(({ id, name }) => name !== getServiceId(id));
  return {
    projects: new Map(namedProjects.map(({ id, name }) => [id, name])),
    areProjectsComplete:
      projectList?.isComplete === true && namedProjects.length === projectList.items.length,
  };
}

/** The parts of a submission that a sentence may contain. Titles of prompts and names of users are text from people. */
const contentParts = z
  .object({
    email: z.string(),
    title: z.string(),
    user: namedRecord,
    source: namedRecord,
    values: z.object({ status: z.string() }),
  })
  .partial();

/**
 * Reads the submissions that these rows record, by id, or by that of the held post that somebody handed over. Deleted
 * submissions are absent.
 */
export async function readRecordedSubmissions(
  { context, actor }: Pick<Call, 'context' | 'actor'>,
  rows: readonly RecordRow[],
  reader: Reader,
): Promise<ReadonlyMap<string, RecordedSubmission>> {
  const ids = rows.filter(({ action }) => action.startsWith('send ')).map(({ target }) => target);
  const { workspace } = actor;
  const submissions = await listSubmissionsById(context.db, { workspace, ids });
  const handedOver = await mapLimited(
    rows.flatMap((row) => (row.action === HAND_OVER ? row.target : [])),
    async (origin) => ({ origin, sent: await listFormSubmissions(context.db, { workspace, origin }) }),
  );
  const { context: submissionContext } = context.submissions;
  // Of a post with several texts, the one that isn't done.
  const outcomes = handedOver.flatMap(({ origin, sent: [first, ...others] }) => {
    const row = [first, ...others].find((each) => each?.state !== 'confirmed') ?? first;
    return row ? [{ key: origin, row }] : [];
  });
  return new Map(
    [...submissions.map((row) => ({ key: row.id, row })), ...outcomes].map(({ key, row }) => {
      const kind = submissionContext.findKind(row.kind);
      const content = readConfirmed(submissionContext, kind, row)?.content;
      const { email, title, user, source, values } = contentParts.safeParse(content).data ?? {};
      const record = user ?? source;
      const projectName = content === undefined ? undefined : kind?.getProject(content)?.name;
      const submission: RecordedSubmission = {
        state: row.state,
        isUnsent: isBackInPost(row),
        projectName,
        subject: email ?? title ?? (record && record.name !== record.id ? record.name : undefined),
        time: row.publish_at
          ? `${renderDate(row.publish_at, reader)}, ${renderClockTime(row.publish_at, reader)}`
          : undefined,
        isDraft: values?.status === 'DRAFT',
        excerpt: kind?.post && content !== undefined ? toExcerpt(kind.copy.getText(content)) : '',
        retryCount: Math.max(0, row.attempts - 1),
      };
      return [key, submission] as const;
    }),
  );
}

interface PersonName {
  id: string;
  /** As the user typed it, or as Slack lists it. */
  name: string;
}

/** Page size of users.list. At most 2,000 members are read to resolve names. Other members can only be found by id. */
const PAGE_SIZE = 200;
const MAX_PAGES = 10;
const MAX_PEOPLE = 5;

/**
 * Splits a search into mentioned people and other words, because the record stores people as ids. Slack sends a mention
 * as `<@U0…>` or as the name ("@Mira Vos"). A name that matches nobody, or several people, stays a search word.
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
  const personNames = await listPersonNames(call);
  return {
    people,
    rest: rest
      .split(/(?<=^|\s)(?=@)/)
      .map((part) => {
        const person = part.startsWith('@') ? findLongestName(personNames, part.slice(1)) : undefined;
        if (!person || people.length >= MAX_PEOPLE) return part;
        people.push({ id: person.id, name: part.slice(0, person.name.length + 1) });
        return part.slice(person.name.length + 1);
      })
      .join(''),
  };
}

/** Finds the person with the longest name at the start of the text. Undefined if nobody or several people have it. */
function findLongestName(personNames: readonly PersonName[], text: string): PersonName | undefined {
  const lowerCaseText = text.toLowerCase();
  const matches = personNames.filter(
    ({ name }) =>
      lowerCaseText.startsWith(name.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(text.slice(name.length)),
  );
  const length = matches.reduce((max, { name }) => Math.max(max, name.length), 0);
  const [person, ...others] = matches.filter(({ name }) => name.length === length);
  return others.every(({ id }) => id === person?.id) ? person : undefined;
}

/** Lists all names of current and former members. If Slack fails, returns the names that were read before. */
async function listPersonNames(call: Parameters<typeof findMentionedPeople>[0]): Promise<PersonName[]> {
  const { client, actor, log, reference } = call;
  const personNames: PersonName[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const options = { limit: PAGE_SIZE, team_id: actor.workspace, ...(cursor && { cursor }) };
    const response = await client.users.list(options).catch((error: unknown) => {
      log.warn({ reference, code: getSlackErrorCode(error) }, 'could not list the users of the workspace');
      return { members: [], response_metadata: undefined };
    });
    const { members = [], response_metadata: metadata } = response;
    for (const { id = '', name, real_name: realName, profile } of members) {
      const names = [name, realName, profile?.display_name].filter(
        (name) => name !== undefined && name !== '',
      );
      personNames.push(...names.map((name) => ({ id, name: limitText(name ?? '', 'name') ?? '' })));
    }
    cursor = metadata?.next_cursor;
    if (!cursor) break;
  }
  return personNames;
}
