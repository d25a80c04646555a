import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { features } from '../../../src/app/features.ts';
import { addOccurrences } from '../../../src/digests/sql/occurrences.ts';
import type { PostContent } from '../../../src/features/schedule-post/sent/post-content.ts';
import { postSubmission } from '../../../src/features/schedule-post/sent/post-submission.ts';
import type { BotSchema } from '../../../src/handlers/schema.ts';
import { saveAndSend } from '../../../src/submissions/save-and-send.ts';
import { NOW } from '../../support/bot.ts';
import { buildCommand, buildMention, buildPress } from './requests.ts';
import { collectShown, type ShownElements } from './shown.ts';
import {
  getManagerId,
  getOwnerId,
  getProjectId,
  getSecret,
  getWorkspaceId,
  NUMBERS,
  RECORD_KINDS,
  type startThreeWorkspaces,
} from './three-workspaces.ts';

type World = Awaited<ReturnType<typeof startThreeWorkspaces>>;

/** Creates one record of each kind in every project, as the workspace's owner. */
export async function seedRecords(world: World, db: Kysely<BotSchema>): Promise<void> {
  for (const workspaceNumber of NUMBERS) {
    const [workspace, owner] = [getWorkspaceId(workspaceNumber), getOwnerId(workspaceNumber)];
    for (const projectNumber of NUMBERS) {
      const content = createPastPost(workspaceNumber, projectNumber);
      const submission = { workspace, author: owner, origin: randomUUID(), item: 0, channel: 'C1', content };
      const saveResult = await saveAndSend(world.submissions.context, postSubmission, [submission]);
      if (typeof saveResult !== 'string') await saveResult.attemptedRows;
      for (const channel of ['C1', owner]) {
        const digest = await world.digests.save(
          createDigestSettings(workspaceNumber, projectNumber, channel),
          owner,
        );
        if (!digest) throw new Error('the digest was not saved');
        await addOccurrences(db, [createUncertainOccurrence(workspace, owner, digest.id)]);
        // Only the channel's digests are paused, so that an attack that pauses or resumes a digest is noticed.
        if (channel === 'C1') await world.digests.pause({ workspace, id: digest.id });
      }
      await world.credentials.save(workspace, {
        ...{
          url: 'https://posts.example.com',
          token: getSecret(workspaceNumber, projectNumber),
          connectedBy: owner,
        },
        ...{
          connectedAt: NOW,
          project: {
            id: getProjectId(workspaceNumber, projectNumber),
            name: getSecret(workspaceNumber, projectNumber),
          },
        },
      });
    }
  }
}

/** Matches the actions of buttons that change something. `exploreAs` doesn't press them. */
const CHANGING_BUTTONS =
  /delete|discard|take|remove|pause|go-on|claim|answer|send|again|there|resume|confirm|ask|request|share|draft/;

/** Runs every command as a person, and presses every button that changes nothing. Returns what they are shown. */
export async function exploreAs(world: World, workspaceNumber: number, user: string): Promise<ShownElements> {
  const answers: unknown[] = [];
  for (const { name } of features.flatMap(({ commands }) => commands)) {
    for (const text of [
      '',
      ...NUMBERS.map((projectNumber) => ` ${getProjectId(workspaceNumber, projectNumber)}`),
    ]) {
      answers.push(...(await world.ask(buildCommand(workspaceNumber, user, `${name}${text}`))));
    }
    answers.push(...(await world.ask(buildMention(workspaceNumber, user, name))));
  }
  for (const { action, value } of collectShown(answers).buttons) {
    if (!CHANGING_BUTTONS.test(action))
      answers.push(...(await world.ask(buildPress(workspaceNumber, user, action, value))));
  }
  return collectShown(answers);
}

export interface Id {
  /** An id is swapped only for ids of the same kind. */
  kind: string;
  id: string;
  /** The number of the project in the workspace. */
  projectNumber?: number | undefined;
  /** The owner of the record, if it belongs to a person. */
  person?: string | undefined;
}

/** Lists the ids of a workspace's rows and of its projects' records in the service. */
export async function listIds(db: Kysely<BotSchema>, workspaceNumber: number): Promise<Id[]> {
  const workspace = getWorkspaceId(workspaceNumber);
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
  const getDigestOwner = (digest: { projects: string | null; channel: string } | undefined) => ({
    projectNumber: getProjectNumber(digest?.projects ?? null),
    person: digest?.channel.startsWith('U') ? digest.channel : undefined,
  });
  return [
    ...submissions.map(({ id, project, author: person }) => ({
      ...{ kind: 'submission', id, projectNumber: getProjectNumber(project), person },
    })),
    ...forms.map(({ id, kind, author: person }) => ({ kind: `form ${kind}`, id, person })),
    ...digests.map((digest) => ({ kind: 'digest', id: digest.id, ...getDigestOwner(digest) })),
    ...occurrences.map(({ id, digest: digestId }) => ({
      ...{ kind: 'occurrence', id, ...getDigestOwner(digests.find((digest) => digest.id === digestId)) },
    })),
    ...requests.map(({ id, person }) => ({ kind: 'request', id, person })),
    ...credentials.map(({ id, project }) => ({
      kind: 'credential',
      id,
      projectNumber: getProjectNumber(project),
    })),
    ...NUMBERS.flatMap((projectNumber) => [
      { kind: 'project', id: getProjectId(workspaceNumber, projectNumber), projectNumber },
      ...RECORD_KINDS.map((kind) => ({
        kind,
        id: `${kind}-${workspaceNumber}${projectNumber}`,
        projectNumber,
      })),
    ]),
  ];
}

/** Picks one id of each kind for each project and person. */
export function pickOneOfEach(ids: readonly Id[]): Id[] {
  return [...new Map(ids.map((id) => [`${id.kind} ${id.projectNumber} ${id.person}`, id])).values()];
}

/** Whether an id belongs to the manager or to the manager's only project. */
export function belongsToManager({ projectNumber, person }: Id, workspaceNumber: number): boolean {
  return person === getManagerId(workspaceNumber) || (person === undefined && projectNumber === 1);
}

function createPastPost(workspaceNumber: number, projectNumber: number): PostContent {
  const secret = getSecret(workspaceNumber, projectNumber);
  return {
    values: { text: secret, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: { id: getProjectId(workspaceNumber, projectNumber), name: secret },
    moment: { instant: '2026-11-01T09:00:00.000Z', zone: 'UTC' },
  };
}

function createDigestSettings(workspaceNumber: number, projectNumber: number, channel: string) {
  return {
    ...{ workspace: getWorkspaceId(workspaceNumber), channel, kind: 'daily' as const },
    ...{ projects: [getProjectId(workspaceNumber, projectNumber)], days: [1], time: { hour: 9, minute: 0 } },
    ...{ zone: 'UTC', sections: {}, isSilentWhenEmpty: false, sharedWith: null },
  };
}

/** Creates an occurrence with an unknown outcome, about which its owner is asked. */
function createUncertainOccurrence(workspace: string, owner: string, digestId: string) {
  return {
    ...{ id: randomUUID(), workspace, digest: digestId, slot: '2026-11-16', channel: 'C1', owner },
    ...{ due_at: NOW, state: 'uncertain' as const, created_at: NOW, changed_at: NOW },
  };
}
