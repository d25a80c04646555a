import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { features } from '../../../src/app/features.ts';
import { addOccurrences } from '../../../src/digests/sql/occurrences.ts';
import type { PostContent } from '../../../src/features/schedule-post/sent/post-content.ts';
import { postSubmission } from '../../../src/features/schedule-post/sent/post-submission.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { saveAndSend } from '../../../src/submissions/save-and-send.ts';
import { NOW } from '../../support/bot.ts';
import { command, mention, press } from './requests.ts';
import { type Shown, shownIn } from './shown.ts';
import {
  NUMBERS,
  ownerOf,
  projectId,
  RECORDS,
  runnerOf,
  secretOf,
  type threeWorkspaces,
  workspaceId,
} from './three-workspaces.ts';

type World = Awaited<ReturnType<typeof threeWorkspaces>>;

/** Makes one of everything that has an id, in every project; all of it belongs to the workspaces' owners. */
export async function seed(world: World, db: Kysely<BotSchema>): Promise<void> {
  for (const number of NUMBERS) {
    const [workspace, owner] = [workspaceId(number), ownerOf(number)];
    for (const project of NUMBERS) {
      const content = pastPost(number, project);
      const received = { workspace, author: owner, origin: randomUUID(), item: 0, channel: 'C1', content };
      const on = await saveAndSend(world.submissions.machine, postSubmission, [received]);
      if (typeof on !== 'string') await on.ended;
      for (const channel of ['C1', owner]) {
        const saved = await world.digests.save(digest(number, project, channel), owner);
        if (!saved) throw new Error('the digest was not saved');
        await addOccurrences(db, [uncertain(workspace, owner, saved.id)]);
        // Of the others none is to be paused, of these none to go on.
        if (channel === 'C1') await world.digests.pause({ workspace, id: saved.id });
      }
      await world.credentials.save(workspace, {
        ...{ url: 'https://posts.example.com', token: secretOf(number, project), connectedBy: owner },
        ...{ connectedAt: NOW, project: { id: projectId(number, project), name: secretOf(number, project) } },
      });
    }
  }
}

/** What changes something is not pressed while somebody only looks around. */
const CHANGING =
  /delete|discard|take|remove|pause|go-on|claim|answer|send|again|there|resume|confirm|ask|wish|share|draft/;

/** Everything that somebody is shown who looks at everything they may: each command, and what its buttons show. */
export async function lookAround(world: World, number: number, user: string): Promise<Shown> {
  const said: unknown[] = [];
  for (const { name } of features.flatMap(({ commands }) => commands)) {
    for (const words of ['', ...NUMBERS.map((project) => ` ${projectId(number, project)}`)]) {
      said.push(...(await world.ask(command(number, user, `${name}${words}`))));
    }
    said.push(...(await world.ask(mention(number, user, name))));
  }
  for (const { action, value } of shownIn(said).buttons) {
    if (!CHANGING.test(action)) said.push(...(await world.ask(press(number, user, action, value))));
  }
  return shownIn(said);
}

export interface Id {
  /** What else could stand in its place. */
  kind: string;
  id: string;
  /** The number of its project in the workspace. */
  project?: number | undefined;
  /** Whose it is, where it is one person's. */
  person?: string | undefined;
}

/** Of everything of a workspace that has an id: its rows, and its projects' records in the service. */
export async function idsOf(db: Kysely<BotSchema>, number: number): Promise<Id[]> {
  const workspace = workspaceId(number);
  const [submissions, forms, digests, occurrences, requests, credentials] = await Promise.all([
    db.selectFrom('submission').selectAll().where('workspace', '=', workspace).execute(),
    db.selectFrom('open_form').selectAll().where('workspace', '=', workspace).execute(),
    db.selectFrom('digest').selectAll().where('workspace', '=', workspace).execute(),
    db.selectFrom('digest_occurrence').selectAll().where('workspace', '=', workspace).execute(),
    db.selectFrom('access_request').selectAll().where('workspace', '=', workspace).execute(),
    db.selectFrom('credential').selectAll().where('workspace', '=', workspace).execute(),
  ]);
  const numberOf = (about: string | null) => Number(/p\d(\d)/.exec(about ?? '')?.[1]) || undefined;
  const ofDigest = (one: { projects: string | null; channel: string } | undefined) => ({
    project: numberOf(one?.projects ?? null),
    person: one?.channel.startsWith('U') ? one.channel : undefined,
  });
  return [
    ...submissions.map(({ id, project, author: person }) => ({
      ...{ kind: 'submission', id, project: numberOf(project), person },
    })),
    ...forms.map(({ id, kind, author: person }) => ({ kind: `form ${kind}`, id, person })),
    ...digests.map((one) => ({ kind: 'digest', id: one.id, ...ofDigest(one) })),
    ...occurrences.map(({ id, digest }) => ({
      ...{ kind: 'occurrence', id, ...ofDigest(digests.find((one) => one.id === digest)) },
    })),
    ...requests.map(({ id, person }) => ({ kind: 'request', id, person })),
    ...credentials.map(({ id, project }) => ({ kind: 'credential', id, project: numberOf(project) })),
    ...NUMBERS.flatMap((project) => [
      { kind: 'project', id: projectId(number, project), project },
      ...RECORDS.map((kind) => ({ kind, id: `${kind}-${number}${project}`, project })),
    ]),
  ];
}

/** One of each kind for each project. */
export function oneOfEach(ids: readonly Id[]): Id[] {
  return [...new Map(ids.map((one) => [`${one.kind} ${one.project} ${one.person}`, one])).values()];
}

/** Whether it is of the one project that this person runs, or their own. */
export function isRunnersOwn({ project, person }: Id, number: number): boolean {
  return person === runnerOf(number) || (person === undefined && project === 1);
}

function pastPost(number: number, project: number): PostContent {
  const secret = secretOf(number, project);
  return {
    values: { text: secret, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: { id: projectId(number, project), name: secret },
    moment: { instant: '2026-11-01T09:00:00.000Z', zone: 'UTC' },
  };
}

function digest(number: number, project: number, channel: string) {
  return {
    ...{ workspace: workspaceId(number), channel, kind: 'daily' as const },
    ...{ projects: [projectId(number, project)], days: [1], time: { hour: 9, minute: 0 } },
    ...{ zone: 'UTC', sections: {}, silentWhenEmpty: false, sharedWith: null },
  };
}

/** One of which nobody knows whether it was posted: its owner is asked. */
function uncertain(workspace: string, owner: string, of: string) {
  return {
    ...{ id: randomUUID(), workspace, digest: of, slot: '2026-11-16', channel: 'C1', owner },
    ...{ due_at: NOW, state: 'uncertain' as const, created_at: NOW, changed_at: NOW },
  };
}
