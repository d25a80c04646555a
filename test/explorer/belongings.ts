import { randomUUID } from 'node:crypto';
import { sendRequest } from '../../src/access/access.ts';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { addOccurrences } from '../../src/digests/sql/digests.ts';
import { resumeSending, stopSending } from '../../src/engine/sending-stop.ts';
import { promptSubmission } from '../../src/features/prompts/prompts.ts';
import type { PostContent } from '../../src/features/schedule-post/sent/post-content.ts';
import { postSubmission } from '../../src/features/schedule-post/sent/post-submission.ts';
import { type SourceContent, sourceSubmission } from '../../src/features/sources/source-form.ts';
import { invitationSubmission } from '../../src/features/users/people.ts';
import type { SentReason, SentState } from '../../src/posts/state-copy.ts';
import { bindProjects } from '../../src/preferences/bindings.ts';
import { parseMenuChoice } from '../../src/slack/blocks.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { NOW } from '../support/bot.ts';
import { followSubmissions } from '../support/posts-of-submissions.ts';
import { openForms, type ProjectScope } from './forms.ts';
import { buildHeldPostForms, createHeldPosts } from './held-belongings.ts';
import { buildSourceForm, createImports } from './imports.ts';
import { iterateObjects } from './iterate-objects.ts';
import { SHARED_CHANNEL } from './slack-stub.ts';
import { buildRequest } from './surface-request.ts';
import {
  getActor,
  getAskingPersonId,
  getOtherPersonId,
  getOwnerId,
  getPersonId,
  getProjectId,
  getWorkspaceId,
  grantRole,
  type World,
} from './world.ts';

/** Ids and button values of one person's records in one project. */
export interface Belongings {
  workspaceNumber: number;
  project: string;
  /** The name and text of every record in the project. */
  secret: string;
  /** A channel that is bound to the project. */
  channel: string;
  /** Ids of the person's posts, by their name in `POSTS`. */
  posts: ReadonlyMap<string, string>;
  /** Ids of the person's held posts, by their name in `HELD_POSTS`. */
  heldPosts: ReadonlyMap<string, string>;
  /** Ids of the person's imports, by their state. */
  imports: ReadonlyMap<string, string>;
  digests: { active: string; paused: string; personal: string; personalPaused: string };
  occurrence: string;
  credential: string;
  /** The button value of another person's role in the project. */
  grant: string;
  /** The id of another person's request for a role. */
  othersRequest: string;
  /** The values of buttons that the person was shown, by action id. */
  buttonValues: ReadonlyMap<string, string>;
  /** The person's open forms, by name. */
  forms: ReadonlyMap<string, object>;
}

const POSTS = [
  { name: 'overdue', state: 'blocked', reason: 'overdue' },
  { name: 'uncertain', state: 'unsure', reason: 'not-found' },
  { name: 'refused', state: 'refused', reason: null },
  { name: 'given up', state: 'gave-up', reason: null },
  { name: 'sent', state: 'confirmed', reason: null },
] as const satisfies readonly { name: string; state: SentState; reason: string | null }[];

/** Creates a person's belongings in a project. The person must be an owner of the workspace. */
export async function createBelongings(
  world: World,
  workspaceNumber: number,
  projectNumber: number,
  secret: string,
): Promise<Belongings> {
  const { db } = world;
  const project = getProjectId(workspaceNumber, projectNumber);
  const channel = `C${workspaceNumber}${projectNumber}`;
  const scope = { world, db, workspaceNumber, project, secret, channel };
  const { workspace, user } = getActor(workspaceNumber);
  await bindProjects(db, { workspace, channel, projects: [project], boundAt: NOW });
  const submissions = await createSubmissions(scope);
  const unsure = await findUnsurePost(scope, submissions.posts);
  const heldPosts = new Map([...(await createHeldPosts(scope)), ['unsure', unsure]]);
  const imports = await createImports(scope);
  return {
    ...{ workspaceNumber, project, secret, channel },
    ...submissions,
    ...(await createDigests(scope)),
    ...(await createRolesAndCredential(scope)),
    heldPosts,
    imports,
    buttonValues: await collectButtonValues(scope),
    forms: new Map([
      ...(await openForms({ ...scope, imports })),
      ...buildHeldPostForms(user, heldPosts),
      buildSourceForm(scope),
    ]),
  };
}

/** Creates submissions in every state that has buttons. */
async function createSubmissions({ world, db, workspaceNumber, project, secret, channel }: ProjectScope) {
  const { workspace, user: author } = getActor(workspaceNumber);
  const submit = async <Content>(
    kind: SubmissionKind<Content>,
    content: Content,
    target: { state: SentState; reason: SentReason | null },
  ) => {
    const submission = { workspace, author, origin: randomUUID(), item: 0, channel, content };
    const saveResult = await saveAndSend(world.context.submissions.context, kind, [submission]);
    if (typeof saveResult === 'string') throw new Error(saveResult);
    const [row] = await saveResult.attemptedRows;
    if (!row) throw new Error('nothing was submitted');
    await db
      .updateTable('submission')
      .set({ ...target, notify_at: null, service_id: `${kind.name}-${project}` })
      .where('id', '=', row.id)
      .execute();
    return row.id;
  };
  const projectReference = { id: project, name: secret };
  const createContent = (text: string): PostContent => ({
    values: { text, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: projectReference,
    moment: { instant: '2026-11-01T09:00:00.000Z', zone: 'UTC' },
  });
  const posts = new Map<string, string>();
  for (const { name, ...target } of POSTS)
    posts.set(name, await submit(postSubmission, createContent(`${secret} ${name}`), target));
  const source: SourceContent = {
    project: projectReference,
    source: { id: `sources-${project.slice(1)}`, name: secret },
    ...{ to: { description: 'new' }, before: { description: 'old' } },
  };
  await submit(sourceSubmission, source, { state: 'confirmed', reason: null });
  const confirmed = { state: 'confirmed', reason: null } as const;
  await submit(
    promptSubmission,
    { project: projectReference, title: secret, text: 'Write', description: '' },
    confirmed,
  );
  const invitation = { first: secret, last: 'Ferreira', email: 'ana@example.com', phone: '' };
  await submit(
    invitationSubmission,
    { project: projectReference, ...invitation, role: secret, status: secret },
    confirmed,
  );
  await followSubmissions(db);
  return { posts };
}

/** Finds the post that may have been sent. */
async function findUnsurePost({ db }: ProjectScope, posts: ReadonlyMap<string, string>): Promise<string> {
  const post = await db
    .selectFrom('post')
    .select('id')
    .where('submission', '=', posts.get('uncertain') ?? '')
    .executeTakeFirstOrThrow();
  return post.id;
}

/** Creates digests for the channel and for the person, and an occurrence with an unknown outcome. */
async function createDigests({ world, db, workspaceNumber, project, channel }: ProjectScope) {
  const { workspace, user } = getActor(workspaceNumber);
  const save = async (recipient: string, isPaused: boolean) => {
    const settings = {
      ...{
        workspace,
        channel: recipient,
        kind: 'daily' as const,
        projects: [project],
        days: [1],
        zone: 'UTC',
      },
      ...{ time: { hour: 9, minute: 0 }, sections: [], isSilentWhenEmpty: false, sharedWith: null },
    };
    const digest = await world.context.digests.save(settings, user);
    if (!digest) throw new Error('the digest was not saved');
    if (isPaused) await world.context.digests.pause({ workspace, id: digest.id });
    return digest.id;
  };
  const digests = {
    ...{ active: await save(channel, false), paused: await save(channel, true) },
    ...{ personal: await save(user, false), personalPaused: await save(user, true) },
  };
  const occurrence = randomUUID();
  await addOccurrences(db, [
    {
      ...{ id: occurrence, workspace, digest: digests.active, slot: '2026-11-16', channel, owner: user },
      ...{ due_at: NOW, state: 'uncertain', created_at: NOW, changed_at: NOW },
    },
  ]);
  return { digests, occurrence };
}

/** Creates a credential, another person's role, and requests for roles. */
async function createRolesAndCredential({ world, db, workspaceNumber, project, secret }: ProjectScope) {
  const { workspace } = getActor(workspaceNumber);
  await world.context.services.save(workspace, {
    ...{
      url: world.serviceUrl(workspace),
      token: `token-of-${project}`,
      connectedBy: getOwnerId(workspaceNumber),
    },
    ...{ connectedAt: NOW, project: { id: project, name: secret } },
  });
  const credential = await db
    .selectFrom('credential')
    .select('id')
    .where('workspace', '=', workspace)
    .where('project', '=', project)
    .executeTakeFirstOrThrow();
  const otherPerson = getOtherPersonId(workspaceNumber);
  await grantRole(db, { workspace, subject: otherPerson, project, role: 'viewer' });
  const othersRequest = randomUUID();
  await sendRequest(db, {
    ...{
      id: othersRequest,
      workspace,
      person: getAskingPersonId(workspaceNumber),
      role: 'publisher',
      project,
    },
    ...{ since: NOW, now: NOW },
  });
  return {
    credential: credential.id,
    grant: JSON.stringify({ kind: 'person', id: otherPerson, project }),
    othersRequest,
  };
}

/** Lists commands that show buttons with the id of a stored value. */
const listCommandsWithButtons = ({ project }: ProjectScope) => [
  { text: 'zone me UTC' },
  { text: `schedule tomorrow 9:00 on x for ${project}: Open at nine`, surface: 'mention' as const },
  { text: `posts ${project} scheduled` },
  { text: `duplicate ${project}` },
  { text: 'next' },
  { text: `templats ${project}` },
  { text: `resume ${project}` },
  { text: `use ${project}`, isShared: true },
];

async function collectButtonValues(scope: ProjectScope): Promise<ReadonlyMap<string, string>> {
  const { world, workspaceNumber, channel } = scope;
  const user = getPersonId(workspaceNumber);
  const buttonValues = new Map<string, string>();
  const stoppedProject = { workspace: getWorkspaceId(workspaceNumber), project: scope.project };
  await stopSending(scope.db, { reason: '', since: NOW, stoppedBy: user }, stoppedProject);
  for (const { text, isShared, surface = 'command' } of listCommandsWithButtons(scope)) {
    const source = { workspaceNumber, user, channel: isShared ? SHARED_CHANNEL : channel };
    const { sent } = await world.deliver(buildRequest(source, { surface, id: text }));
    for (const { action_id: id, value, options } of iterateObjects(sent)) {
      if (typeof id !== 'string') continue;
      buttonValues.set(id, String(value ?? ''));
      for (const option of Array.isArray(options) ? options : []) {
        const entry = parseMenuChoice(id, String(option.value));
        if (entry) buttonValues.set(entry.id, entry.value);
      }
    }
  }
  await resumeSending(scope.db, CAPABILITIES, NOW, stoppedProject);
  return buttonValues;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** An id of a person's record, by a name that the same record has in each project. */
interface NamedId {
  name: string;
  id: string;
  /** Whether it is the id of an open form or in a button. */
  isShown: boolean;
}

/** Lists the ids of all belongings: of rows, of open forms and buttons, and of records in the service. */
export function listIds(belongings: Belongings): NamedId[] {
  const { project, secret, posts, heldPosts, imports, digests, occurrence, credential } = belongings;
  const records = {
    ...{ project, secret, occurrence, credential, held: heldPosts.get('draft') ?? '' },
    ...{ template: `templates-${project.slice(1)}`, source: `sources-${project.slice(1)}` },
    othersRequest: belongings.othersRequest,
    ...{ ...digests, ...Object.fromEntries([...posts, ...heldPosts]) },
    ...Object.fromEntries([...imports].map(([state, id]) => [`import ${state}`, id])),
  };
  return [
    ...Object.entries(records).map(([name, id]) => ({ name, id, isShown: false })),
    ...[...belongings.buttonValues, ...belongings.forms].flatMap(([name, value]) =>
      (JSON.stringify(value).match(UUID) ?? []).map((id, index) => ({
        ...{ name: `${name} ${index}`, id, isShown: true },
      })),
    ),
  ];
}
