import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { features } from '../../../src/app/features.ts';
import { addOccurrences } from '../../../src/digests/sql/occurrences.ts';
import type { PostContent } from '../../../src/features/schedule-post/sent/post-content.ts';
import { postSubmission } from '../../../src/features/schedule-post/sent/post-submission.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { saveAndSend } from '../../../src/submissions/save-and-send.ts';
import { NOW } from '../../support/bot.ts';
import { buildCommand, buildMention, buildPress } from './requests.ts';
import { collectShown, type Shown } from './shown.ts';
import {
  getManagerId,
  getOwnerId,
  getSecret,
  NUMBERS,
  projectId,
  RECORDS,
  type startThreeWorkspaces,
  workspaceId,
} from './three-workspaces.ts';

type World = Awaited<ReturnType<typeof startThreeWorkspaces>>;

/** Creates one record of each kind in every project, as the workspace's owner. */
export async function seedRecords(world: World, db: Kysely<BotSchema>): Promise<void> {
  for (const number of NUMBERS) {
    const [workspace, owner] = [workspaceId(number), getOwnerId(number)];
    for (const project of NUMBERS) {
      const content = createPastPost(number, project);
      const submission = { workspace, author: owner, origin: randomUUID(), item: 0, channel: 'C1', content };
      const saving = await saveAndSend(world.submissions.context, postSubmission, [submission]);
      if (typeof saving !== 'string') await saving.attemptedRows;
      for (const channel of ['C1', owner]) {
        const saved = await world.digests.save(createDigestSettings(number, project, channel), owner);
        if (!saved) throw new Error('the digest was not saved');
        await addOccurrences(db, [createUncertainOccurrence(workspace, owner, saved.id)]);
        // Only the channel's digests are paused, so that an attack that pauses or resumes a digest is noticed.
        if (channel === 'C1') await world.digests.pause({ workspace, id: saved.id });
      }
      await world.credentials.save(workspace, {
        ...{ url: 'https://posts.example.com', token: getSecret(number, project), connectedBy: owner },
        ...{
          connectedAt: NOW,
          project: { id: projectId(number, project), name: getSecret(number, project) },
        },
      });
    }
  }
}

/** Buttons that change something. `exploreAs` doesn't press them. */
const CHANGING_BUTTONS =
  /delete|discard|take|remove|pause|go-on|claim|answer|send|again|there|resume|confirm|ask|wish|share|draft/;

/** Runs every command as a person, and presses every button that changes nothing. Returns what they are shown. */
export async function exploreAs(world: World, number: number, user: string): Promise<Shown> {
  const answers: unknown[] = [];
  for (const { name } of features.flatMap(({ commands }) => commands)) {
    for (const text of ['', ...NUMBERS.map((project) => ` ${projectId(number, project)}`)]) {
      answers.push(...(await world.ask(buildCommand(number, user, `${name}${text}`))));
    }
    answers.push(...(await world.ask(buildMention(number, user, name))));
  }
  for (const { action, value } of collectShown(answers).buttons) {
    if (!CHANGING_BUTTONS.test(action))
      answers.push(...(await world.ask(buildPress(number, user, action, value))));
  }
  return collectShown(answers);
}

export interface Id {
  /** An id can only be swapped for others of the same kind. */
  kind: string;
  id: string;
  /** The number of the project in the workspace. */
  project?: number | undefined;
  /** The owner of the record, if it belongs to a person. */
  person?: string | undefined;
}

/** Lists the ids of a workspace's rows, and of its projects' records in the service. */
export async function listIds(db: Kysely<BotSchema>, number: number): Promise<Id[]> {
  const workspace = workspaceId(number);
  const [submissions, forms, digests, occurrences, requests, credentials] = await Promise.all([
    db.selectFrom('submission').selectAll().where('workspace', '=', workspace).execute(),
    db.selectFrom('open_form').selectAll().where('workspace', '=', workspace).execute(),
    db.selectFrom('digest').selectAll().where('workspace', '=', workspace).execute(),
    db.selectFrom('digest_occurrence').selectAll().where('workspace', '=', workspace).execute(),
    db.selectFrom('access_request').selectAll().where('workspace', '=', workspace).execute(),
    db.selectFrom('credential').selectAll().where('workspace', '=', workspace).execute(),
  ]);
  const getProjectNumber = (projectIds: string | null) =>
    Number(/p\d(\d)/.exec(projectIds ?? '')?.[1]) || undefined;
  const getDigestOwner = (one: { projects: string | null; channel: string } | undefined) => ({
    project: getProjectNumber(one?.projects ?? null),
    person: one?.channel.startsWith('U') ? one.channel : undefined,
  });
  return [
    ...submissions.map(({ id, project, author: person }) => ({
      ...{ kind: 'submission', id, project: getProjectNumber(project), person },
    })),
    ...forms.map(({ id, kind, author: person }) => ({ kind: `form ${kind}`, id, person })),
    ...digests.map((one) => ({ kind: 'digest', id: one.id, ...getDigestOwner(one) })),
    ...occurrences.map(({ id, digest }) => ({
      ...{ kind: 'occurrence', id, ...getDigestOwner(digests.find((one) => one.id === digest)) },
    })),
    ...requests.map(({ id, person }) => ({ kind: 'request', id, person })),
    ...credentials.map(({ id, project }) => ({ kind: 'credential', id, project: getProjectNumber(project) })),
    ...NUMBERS.flatMap((project) => [
      { kind: 'project', id: projectId(number, project), project },
      ...RECORDS.map((kind) => ({ kind, id: `${kind}-${number}${project}`, project })),
    ]),
  ];
}

/** Picks one id of each kind for each project and person. */
export function pickOneOfEach(ids: readonly Id[]): Id[] {
  return [...new Map(ids.map((one) => [`${one.kind} ${one.project} ${one.person}`, one])).values()];
}

/** Whether an id belongs to the manager or to the manager's only project. */
export function isOfManager({ project, person }: Id, number: number): boolean {
  return person === getManagerId(number) || (person === undefined && project === 1);
}

function createPastPost(number: number, project: number): PostContent {
  const secret = getSecret(number, project);
  return {
    values: { text: secret, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: { id: projectId(number, project), name: secret },
    moment: { instant: '2026-11-01T09:00:00.000Z', zone: 'UTC' },
  };
}

function createDigestSettings(number: number, project: number, channel: string) {
  return {
    ...{ workspace: workspaceId(number), channel, kind: 'daily' as const },
    ...{ projects: [projectId(number, project)], days: [1], time: { hour: 9, minute: 0 } },
    ...{ zone: 'UTC', sections: {}, isSilentWhenEmpty: false, sharedWith: null },
  };
}

/** An occurrence that may have been sent or not, so its owner is asked. */
function createUncertainOccurrence(workspace: string, owner: string, digestId: string) {
  return {
    ...{ id: randomUUID(), workspace, digest: digestId, slot: '2026-11-16', channel: 'C1', owner },
    ...{ due_at: NOW, state: 'uncertain' as const, created_at: NOW, changed_at: NOW },
  };
}
