import { randomUUID } from 'node:crypto';
import { offerRequest, sendRequest } from '../../../../src/access/access.ts';
import { addOccurrences } from '../../../../src/digests/sql/occurrences.ts';
import { promptSubmission } from '../../../../src/features/prompts/prompts.ts';
import type { PostContent } from '../../../../src/features/schedule-post/sent/post-content.ts';
import { postSubmission } from '../../../../src/features/schedule-post/sent/post-submission.ts';
import { type SourceContent, sourceSubmission } from '../../../../src/features/sources/source-submission.ts';
import { invitationSubmission } from '../../../../src/features/users/invitation.ts';
import { bindProjects } from '../../../../src/preferences/bindings.ts';
import type { SubmissionKind } from '../../../../src/submissions/kind.ts';
import type { State } from '../../../../src/submissions/lifecycle.ts';
import { saveAndSend } from '../../../../src/submissions/save-and-send.ts';
import type { StateReason } from '../../../../src/submissions/state-copy.ts';
import { NOW } from '../../../support/bot.ts';
import { objectsIn } from '../shown.ts';
import { give, ownerOf, projectId, SHARED_CHANNEL, secretOf } from '../three-workspaces.ts';
import { requestOf } from './asking.ts';
import { type At, openForms } from './forms.ts';
import { actorOf, otherOf, personOf } from './person.ts';

/** The ids and button values of everything that one person can have in one project. */
export interface Belongings {
  number: number;
  project: string;
  /** The name and text of everything in the project. */
  secret: string;
  /** A channel that is bound to the project. */
  channel: string;
  /** The person's own submissions: posts by name (see POSTS), and the update of a source. */
  posts: ReadonlyMap<string, string>;
  update: string;
  digests: { on: string; paused: string; mine: string; minePaused: string };
  occurrence: string;
  credential: string;
  /** Another person's role in the project, the person's own request for a role, and another person's. */
  grant: string;
  ownRequest: string;
  othersRequest: string;
  /** The values of buttons that the person was shown, by action id. */
  shown: ReadonlyMap<string, string>;
  /** The person's open forms, by name. */
  forms: ReadonlyMap<string, object>;
}

const POSTS = [
  { name: 'past', state: 'needs-person', reason: 'overdue' },
  { name: 'unsure', state: 'needs-person', reason: 'not-found' },
  { name: 'refused', state: 'refused', reason: null },
  { name: 'sent', state: 'confirmed', reason: null },
] as const satisfies readonly { name: string; state: State; reason: string | null }[];

/** Creates all of it. The person must be an owner of their workspace meanwhile. */
export async function createBelongings(
  world: At['world'],
  db: At['db'],
  number: number,
  of: number,
): Promise<Belongings> {
  const [project, secret, channel] = [projectId(number, of), secretOf(number, of), `C${number}${of}`];
  const at = { world, db, number, project, secret, channel };
  const { workspace, user } = actorOf(number);
  await bindProjects(db, { workspace, channel, projects: [project], boundBy: user, boundAt: NOW });
  return {
    ...{ number, project, secret, channel },
    ...(await createSubmissions(at)),
    ...(await createDigests(at)),
    ...(await createRolesAndCredential(at)),
    shown: await collectButtonValues(at),
    forms: await openForms(at),
  };
}

/** Creates submissions in every state that has buttons. */
async function createSubmissions({ world, db, number, project, secret, channel }: At) {
  const { workspace, user: author } = actorOf(number);
  const submit = async <Content>(
    kind: SubmissionKind<Content>,
    content: Content,
    to: { state: State; reason: StateReason | null },
  ) => {
    const submission = { workspace, author, origin: randomUUID(), item: 0, channel, content };
    const saving = await saveAndSend(world.submissions.machine, kind, [submission]);
    if (typeof saving === 'string') throw new Error(saving);
    const [row] = await saving.finalRows;
    if (!row) throw new Error('nothing was submitted');
    await db
      .updateTable('submission')
      .set({ ...to, notify_at: null, result: `${kind.name}-${project}` })
      .where('id', '=', row.id)
      .execute();
    return row.id;
  };
  const about = { id: project, name: secret };
  const post = (text: string): PostContent => ({
    values: { text, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: about,
    moment: { instant: '2026-11-01T09:00:00.000Z', zone: 'UTC' },
  });
  const posts = new Map<string, string>();
  for (const { name, ...to } of POSTS)
    posts.set(name, await submit(postSubmission, post(`${secret} ${name}`), to));
  const source: SourceContent = {
    project: about,
    source: { id: `sources-${project.slice(1)}`, name: secret },
    ...{ to: { description: 'new' }, before: { description: 'old' }, back: false },
  };
  const update = await submit(sourceSubmission, source, { state: 'confirmed', reason: null });
  const done = { state: 'confirmed', reason: null } as const;
  await submit(promptSubmission, { project: about, title: secret, text: 'Write', description: '' }, done);
  const person = { first: secret, last: 'Ferreira', email: 'ana@example.com', phone: '' };
  await submit(invitationSubmission, { project: about, ...person, role: secret, status: secret }, done);
  return { posts, update };
}

/** Creates digests of the channel and of the person, and an occurrence that may have been sent or not. */
async function createDigests({ world, db, number, project, channel }: At) {
  const { workspace, user } = actorOf(number);
  const save = async (place: string, isPaused: boolean) => {
    const settings = {
      ...{ workspace, channel: place, kind: 'daily' as const, projects: [project], days: [1], zone: 'UTC' },
      ...{ time: { hour: 9, minute: 0 }, sections: {}, isSilentWhenEmpty: false, sharedWith: null },
    };
    const saved = await world.digests.save(settings, user);
    if (!saved) throw new Error('the digest was not saved');
    if (isPaused) await world.digests.pause({ workspace, id: saved.id });
    return saved.id;
  };
  const digests = {
    ...{ on: await save(channel, false), paused: await save(channel, true) },
    ...{ mine: await save(user, false), minePaused: await save(user, true) },
  };
  const occurrence = randomUUID();
  await addOccurrences(db, [
    {
      ...{ id: occurrence, workspace, digest: digests.on, slot: '2026-11-16', channel, owner: user },
      ...{ due_at: NOW, state: 'uncertain', created_at: NOW, changed_at: NOW },
    },
  ]);
  return { digests, occurrence };
}

/** Creates what the workspace's owners manage: a credential, another person's role, and requests for roles. */
async function createRolesAndCredential({ world, db, number, project, secret }: At) {
  const { workspace, user } = actorOf(number);
  await world.credentials.save(workspace, {
    ...{ url: 'https://posts.example.com', token: `token-of-${secret}`, connectedBy: ownerOf(number) },
    ...{ connectedAt: NOW, project: { id: project, name: secret } },
  });
  const stored = await db
    .selectFrom('credential')
    .select('id')
    .where('workspace', '=', workspace)
    .where('project', '=', project)
    .executeTakeFirstOrThrow();
  const other = otherOf(number);
  await give(db, { workspace, subject: other, project, role: 'viewer' });
  const request = async (person: string, isSent: boolean) => {
    const one = { id: randomUUID(), workspace, person, role: 'publisher', project, createdAt: NOW };
    await offerRequest(db, one);
    if (isSent) await sendRequest(db, { ...one, since: NOW, now: NOW });
    return one.id;
  };
  return {
    credential: stored.id,
    grant: JSON.stringify({ kind: 'person', id: other, project }),
    ...{ ownRequest: await request(user, false), othersRequest: await request(other, true) },
  };
}

/** Commands that show buttons with the id of a stored value. */
const COMMANDS_WITH_BUTTONS = ({ project, secret }: At) => [
  { words: 'zone me UTC' },
  { words: `schedule tomorrow 9:00 on x for ${project}: ${secret}` },
  { words: `posts ${project} scheduled` },
  { words: `edit ${project}` },
  { words: 'next' },
  { words: `templats ${project}` },
  { words: `use ${project}`, isShared: true },
];

async function collectButtonValues(at: At): Promise<ReadonlyMap<string, string>> {
  const { world, number, channel } = at;
  const user = personOf(number);
  const shown = new Map<string, string>();
  for (const { words, isShared } of COMMANDS_WITH_BUTTONS(at)) {
    const from = { number, user, channel: isShared ? SHARED_CHANNEL : channel };
    const answers = await world.ask(requestOf(from, { surface: 'command', id: words }));
    for (const { action_id: id, value, options } of objectsIn(answers)) {
      if (typeof id !== 'string') continue;
      const [option] = Array.isArray(options)
        ? options.filter((one) => String(one.value).startsWith('again:'))
        : [];
      shown.set(id, String(option?.value ?? value ?? ''));
    }
  }
  return shown;
}
