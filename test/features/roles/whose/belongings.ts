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
import { type At, formsOf } from './forms.ts';
import { otherOf, personOf, whoOf } from './person.ts';

/** All that one person has of one project, by what it is: ids, and buttons' values. */
export interface Belongings {
  number: number;
  project: string;
  /** Everything in the service says so. */
  secret: string;
  /** Is about the project. */
  channel: string;
  /** By state; the posts and the update of a source are the person's own. */
  posts: ReadonlyMap<string, string>;
  update: string;
  digests: { on: string; paused: string; mine: string; minePaused: string };
  occurrence: string;
  credential: string;
  /** A role that somebody else has there; and a request of the person's own, and somebody else's. */
  grant: string;
  wish: string;
  asked: string;
  /** What was shown with these: the value of a button, by its action. */
  shown: ReadonlyMap<string, string>;
  /** The person's open forms, by name. */
  forms: ReadonlyMap<string, object>;
}

const POSTS = [
  { name: 'past', state: 'needs-person', reason: 'past' },
  { name: 'unsure', state: 'needs-person', reason: 'absent' },
  { name: 'refused', state: 'refused', reason: null },
  { name: 'sent', state: 'confirmed', reason: null },
] as const satisfies readonly { name: string; state: State; reason: string | null }[];

/** Makes all of it; the person has to own their workspace meanwhile. */
export async function belongingsOf(
  world: At['world'],
  db: At['db'],
  number: number,
  of: number,
): Promise<Belongings> {
  const [project, secret, channel] = [projectId(number, of), secretOf(number, of), `C${number}${of}`];
  const at = { world, db, number, project, secret, channel };
  const { workspace, user } = whoOf(number);
  await bindProjects(db, { workspace, channel, projects: [project], boundBy: user, boundAt: NOW });
  return {
    ...{ number, project, secret, channel },
    ...(await submitted(at)),
    ...(await told(at)),
    ...(await shared(at)),
    shown: await shownTo(at),
    forms: await formsOf(at),
  };
}

/** In every state that has buttons. */
async function submitted({ world, db, number, project, secret, channel }: At) {
  const { workspace, user: author } = whoOf(number);
  const submit = async <Content>(
    kind: SubmissionKind<Content>,
    content: Content,
    to: { state: State; reason: StateReason | null },
  ) => {
    const received = { workspace, author, origin: randomUUID(), item: 0, channel, content };
    const on = await saveAndSend(world.submissions.machine, kind, [received]);
    if (typeof on === 'string') throw new Error(on);
    const [row] = await on.ended;
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

/** Digests of the channel and of the person, and one of which nobody knows whether it was posted. */
async function told({ world, db, number, project, channel }: At) {
  const { workspace, user } = whoOf(number);
  const save = async (place: string, isPaused: boolean) => {
    const settings = {
      ...{ workspace, channel: place, kind: 'daily' as const, projects: [project], days: [1], zone: 'UTC' },
      ...{ time: { hour: 9, minute: 0 }, sections: {}, silentWhenEmpty: false, sharedWith: null },
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

/** What the workspace's owners give and connect. */
async function shared({ world, db, number, project, secret }: At) {
  const { workspace, user } = whoOf(number);
  await world.credentials.save(workspace, {
    ...{ url: 'https://posts.example.com', token: `token-of-${secret}`, connectedBy: ownerOf(number) },
    ...{ connectedAt: NOW, project: { id: project, name: secret } },
  });
  const kept = await db
    .selectFrom('credential')
    .select('id')
    .where('workspace', '=', workspace)
    .where('project', '=', project)
    .executeTakeFirstOrThrow();
  const other = otherOf(number);
  await give(db, { workspace, subject: other, project, role: 'viewer' });
  const request = async (person: string, isAsked: boolean) => {
    const one = { id: randomUUID(), workspace, person, role: 'publisher', project, madeAt: NOW };
    await offerRequest(db, one);
    if (isAsked) await sendRequest(db, { ...one, since: NOW, now: NOW });
    return one.id;
  };
  return {
    credential: kept.id,
    grant: JSON.stringify({ kind: 'person', id: other, project }),
    ...{ wish: await request(user, false), asked: await request(other, true) },
  };
}

/** What shows the buttons that carry the id of something kept for this. */
const SHOWN_BY = ({ project, secret }: At) => [
  { words: 'zone me UTC' },
  { words: `schedule tomorrow 9:00 on x for ${project}: ${secret}` },
  { words: `posts ${project} scheduled` },
  { words: `edit ${project}` },
  { words: 'next' },
  { words: `templats ${project}` },
  { words: `use ${project}`, isShared: true },
];

async function shownTo(at: At): Promise<ReadonlyMap<string, string>> {
  const { world, number, channel } = at;
  const user = personOf(number);
  const shown = new Map<string, string>();
  for (const { words, isShared } of SHOWN_BY(at)) {
    const from = { number, user, channel: isShared ? SHARED_CHANNEL : channel };
    const said = await world.ask(requestOf(from, { surface: 'command', id: words }));
    for (const { action_id: id, value, options } of objectsIn(said)) {
      if (typeof id !== 'string') continue;
      const [option] = Array.isArray(options)
        ? options.filter((one) => String(one.value).startsWith('again:'))
        : [];
      shown.set(id, String(option?.value ?? value ?? ''));
    }
  }
  return shown;
}
