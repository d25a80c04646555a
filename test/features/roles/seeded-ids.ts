import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { features } from '../../../src/app/features.ts';
import type { PostContent } from '../../../src/features/schedule-post/form/post-content.ts';
import { postSubmission } from '../../../src/features/schedule-post/sent/post-submission.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { bringOn } from '../../../src/submissions/bring-on.ts';
import {
  NUMBERS,
  ownerOf,
  projectId,
  runnerOf,
  secretOf,
  type threeWorkspaces,
  workspaceId,
} from './three-workspaces.ts';

type World = Awaited<ReturnType<typeof threeWorkspaces>>;

/** Makes one of everything that has an id, in every project; all of it belongs to the workspaces' owners. */
export async function seed(world: World): Promise<void> {
  for (const number of NUMBERS) {
    const [workspace, owner] = [workspaceId(number), ownerOf(number)];
    for (const project of NUMBERS) {
      const content = pastPost(number, project);
      const received = { workspace, asker: owner, origin: randomUUID(), item: 0, channel: 'C1', content };
      const on = await bringOn(world.submissions.machine, postSubmission, [received]);
      if (on !== 'not-saved') await on.ended;
      for (const channel of ['C1', owner]) await world.digests.save(digest(number, project, channel), owner);
    }
    for (const { name } of features.flatMap(({ commands }) => commands)) {
      await world.ask(command(number, owner, name));
      await world.ask(mention(number, owner, name));
    }
    await world.ask(press(number, owner, 'roles.give'));
    await world.ask(command(number, runnerOf(number), 'audit'));
  }
}

/** Of everything that belongs to others one of each kind: what `user` may not touch, by id. */
export async function foreignIds(db: Kysely<BotSchema>, number: number, user: string): Promise<string[]> {
  const at = (table: 'submission' | 'open_form' | 'digest' | 'access_request') =>
    db.selectFrom(table).where('workspace', '=', workspaceId(number));
  const own = projectId(1, 1);
  const [submissions, forms, digests, requests] = await Promise.all([
    at('submission').select(['submission.id', 'submission.project as kind']).execute(),
    at('open_form').select(['open_form.id', 'open_form.kind']).where('open_form.asker', '!=', user).execute(),
    at('digest').select(['digest.id', 'digest.projects', 'digest.channel']).execute(),
    at('access_request').select(['access_request.id', 'access_request.person']).execute(),
  ]);
  const all = [
    ...submissions
      .filter(({ kind }) => kind !== own)
      .map(({ id, kind }) => [`submission ${kind}`, id] as const),
    ...forms.map(({ id, kind }) => [kind, id] as const),
    ...digests
      .filter(({ projects }) => !projects?.includes(own))
      .map(({ id, channel }) => [`digest ${channel}`, id] as const),
    ...requests.filter(({ person }) => person !== user).map(({ id }) => ['request', id] as const),
  ];
  return [...new Map(all).values()];
}

function pastPost(number: number, project: number): PostContent {
  const secret = secretOf(number, project);
  return {
    typed: { text: secret, platforms: ['X'], status: 'SCHEDULED', when: '', zone: 'UTC', media: '' },
    project: { id: projectId(number, project), name: secret },
    moment: { instant: '2026-11-01T09:00:00.000Z', zone: 'UTC' },
  };
}

function digest(number: number, project: number, channel: string) {
  return {
    ...{
      workspace: workspaceId(number),
      channel,
      kind: 'daily' as const,
      projects: [projectId(number, project)],
    },
    ...{
      days: [1],
      time: { hour: 9, minute: 0 },
      zone: 'UTC',
      shows: {},
      silentWhenEmpty: false,
      sharedKnown: false,
    },
  };
}

export function command(number: number, user_id: string, text: string): object {
  const at = {
    team_id: workspaceId(number),
    channel_id: 'C1',
    trigger_id: 't',
    response_url: 'https://example.com',
  };
  return { ...at, command: '/upnext', text, user_id };
}

function mention(number: number, user: string, words: string): object {
  const event = { type: 'app_mention', user, channel: 'C1', ts: '1.1', text: `<@U0BOT> ${words}` };
  return { type: 'event_callback', event_id: randomUUID(), team_id: workspaceId(number), event };
}

/** A button or menu; `value` is both its value and what was chosen. */
export function press(number: number, user: string, action_id: string, value = ''): object {
  const action = { action_id, type: 'button', value, selected_option: { value } };
  return {
    ...{ type: 'block_actions', team: { id: workspaceId(number) }, user: { id: user }, trigger_id: 't' },
    ...{ channel: { id: 'C1' }, container: { message_ts: '1.1' }, actions: [action] },
  };
}
