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
import { iterateObjects } from '../shown.ts';
import { getOwnerId, getSecret, grantRole, projectId, SHARED_CHANNEL } from '../three-workspaces.ts';
import { openForms, type ProjectScope } from './forms.ts';
import { getActor, getOtherPersonId, getPersonId } from './person.ts';
import { buildRequest } from './surface-request.ts';

/** Ids and button values of one person's records in one project. */
export interface Belongings {
  number: number;
  project: string;
  /** The name and text of every record in the project. */
  secret: string;
  /** A channel that is bound to the project. */
  channel: string;
  /** Ids of the person's submissions: posts by name (see POSTS), and the update of a source. */
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

/** Creates a person's belongings in a project. The person must be an owner of the workspace. */
export async function createBelongings(
  world: ProjectScope['world'],
  db: ProjectScope['db'],
  number: number,
  projectNumber: number,
): Promise<Belongings> {
  const project = projectId(number, projectNumber);
  const secret = getSecret(number, projectNumber);
  const channel = `C${number}${projectNumber}`;
  const scope = { world, db, number, project, secret, channel };
  const { workspace, user } = getActor(number);
  await bindProjects(db, { workspace, channel, projects: [project], boundBy: user, boundAt: NOW });
  return {
    ...{ number, project, secret, channel },
    ...(await createSubmissions(scope)),
    ...(await createDigests(scope)),
    ...(await createRolesAndCredential(scope)),
    shown: await collectButtonValues(scope),
    forms: await openForms(scope),
  };
}

/** Creates submissions in every state that has buttons. */
async function createSubmissions({ world, db, number, project, secret, channel }: ProjectScope) {
  const { workspace, user: author } = getActor(number);
  const submit = async <Content>(
    kind: SubmissionKind<Content>,
    content: Content,
    to: { state: State; reason: StateReason | null },
  ) => {
    const submission = { workspace, author, origin: randomUUID(), item: 0, channel, content };
    const saving = await saveAndSend(world.submissions.context, kind, [submission]);
    if (typeof saving === 'string') throw new Error(saving);
    const [row] = await saving.attemptedRows;
    if (!row) throw new Error('nothing was submitted');
    await db
      .updateTable('submission')
      .set({ ...to, notify_at: null, service_id: `${kind.name}-${project}` })
      .where('id', '=', row.id)
      .execute();
    return row.id;
  };
  const target = { id: project, name: secret };
  const post = (text: string): PostContent => ({
    values: { text, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: target,
    moment: { instant: '2026-11-01T09:00:00.000Z', zone: 'UTC' },
  });
  const posts = new Map<string, string>();
  for (const { name, ...to } of POSTS)
    posts.set(name, await submit(postSubmission, post(`${secret} ${name}`), to));
  const source: SourceContent = {
    project: target,
    source: { id: `sources-${project.slice(1)}`, name: secret },
    ...{ to: { description: 'new' }, before: { description: 'old' }, back: false },
  };
  const update = await submit(sourceSubmission, source, { state: 'confirmed', reason: null });
  const done = { state: 'confirmed', reason: null } as const;
  await submit(promptSubmission, { project: target, title: secret, text: 'Write', description: '' }, done);
  const person = { first: secret, last: 'Ferreira', email: 'ana@example.com', phone: '' };
  await submit(invitationSubmission, { project: target, ...person, role: secret, status: secret }, done);
  return { posts, update };
}

/** Creates digests of the channel and of the person, and an occurrence that may have been sent or not. */
async function createDigests({ world, db, number, project, channel }: ProjectScope) {
  const { workspace, user } = getActor(number);
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

/** Creates a credential, another person's role, and requests for roles. */
async function createRolesAndCredential({ world, db, number, project, secret }: ProjectScope) {
  const { workspace, user } = getActor(number);
  await world.credentials.save(workspace, {
    ...{ url: 'https://posts.example.com', token: `token-of-${secret}`, connectedBy: getOwnerId(number) },
    ...{ connectedAt: NOW, project: { id: project, name: secret } },
  });
  const credential = await db
    .selectFrom('credential')
    .select('id')
    .where('workspace', '=', workspace)
    .where('project', '=', project)
    .executeTakeFirstOrThrow();
  const otherPerson = getOtherPersonId(number);
  await grantRole(db, { workspace, subject: otherPerson, project, role: 'viewer' });
  const request = async (person: string, isSent: boolean) => {
    const accessRequest = { id: randomUUID(), workspace, person, role: 'publisher', project, createdAt: NOW };
    await offerRequest(db, accessRequest);
    if (isSent) await sendRequest(db, { ...accessRequest, since: NOW, now: NOW });
    return accessRequest.id;
  };
  return {
    credential: credential.id,
    grant: JSON.stringify({ kind: 'person', id: otherPerson, project }),
    ...{ ownRequest: await request(user, false), othersRequest: await request(otherPerson, true) },
  };
}

/** Commands that show buttons with the id of a stored value. */
const listCommandsWithButtons = ({ project, secret }: ProjectScope) => [
  { text: 'zone me UTC' },
  { text: `schedule tomorrow 9:00 on x for ${project}: ${secret}` },
  { text: `posts ${project} scheduled` },
  { text: `edit ${project}` },
  { text: 'next' },
  { text: `templats ${project}` },
  { text: `use ${project}`, isShared: true },
];

async function collectButtonValues(scope: ProjectScope): Promise<ReadonlyMap<string, string>> {
  const { world, number, channel } = scope;
  const user = getPersonId(number);
  const shown = new Map<string, string>();
  for (const { text, isShared } of listCommandsWithButtons(scope)) {
    const source = { number, user, channel: isShared ? SHARED_CHANNEL : channel };
    const answers = await world.ask(buildRequest(source, { surface: 'command', id: text }));
    for (const { action_id: id, value, options } of iterateObjects(answers)) {
      if (typeof id !== 'string') continue;
      const [option] = Array.isArray(options)
        ? options.filter((candidate) => String(candidate.value).startsWith('again:'))
        : [];
      shown.set(id, String(option?.value ?? value ?? ''));
    }
  }
  return shown;
}
