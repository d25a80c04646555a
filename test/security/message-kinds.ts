import { randomUUID } from 'node:crypto';
import { WAIT_MS } from 'slack-workspace-emulator/test-support/workspace';
import { vi } from 'vitest';
import { changeAll } from '../../src/held-posts/bulk.ts';
import { editHeldPost } from '../../src/held-posts/change.ts';
import type { HeldPostRow } from '../../src/held-posts/held-post.ts';
import { createSeries, editSeries, findSeries } from '../../src/held-posts/series/change-series.ts';
import { findHeldPost } from '../../src/held-posts/sql/held-posts.ts';
import type { ProjectPolicy } from '../../src/preferences/project-policy.ts';
import { refreshShownMessage } from '../../src/submissions/shown.ts';
import { NOW } from '../support/bot.ts';
import { submitLine } from '../support/filled-form.ts';
import { buildPost, buildSeries, holdPost, listHeldPosts, reviewedBy } from '../support/hold-posts.ts';
import { insertPost } from '../support/post-submissions.ts';
import type { BotFixture } from '../support/set-up-bot.ts';
import { pressAndSee } from '../support/steps.ts';

/** The kinds of messages of `readers-later.test.ts`, and how each is sent and changed. */

const [ANA, MIRA, WORKSPACE] = ['U01ANAFERR', 'U03MIRAVOS', 'T01HARBOUR'];
const TUESDAY = '2026-11-24T09:00:00Z';
const WAIT = { timeout: WAIT_MS, interval: 50 };
/** The channel of the messages. */
export const CHANNEL = '#launch';
/** Posts of p1 aren't reviewed, those of p2 are reviewed in the channel, and those of p3 in direct messages. */
const REVIEWED_IN_CHANNEL = { id: 'p2', name: 'Night Market Books' };
const REVIEWED_IN_PERSON = { id: 'p3', name: 'Roastery' };

interface World extends Pick<BotFixture, 'database' | 'running'> {
  savePolicy(policy: Partial<ProjectPolicy>, project: string): Promise<void>;
}

/** Replaces the text of a post by a canary, as Ana. */
async function editAsAna(
  { database, running }: World,
  { id, workspace }: Pick<HeldPostRow, 'id' | 'workspace'>,
  text: string,
  project?: object,
) {
  const row = await findHeldPost(database.db, { id, workspace });
  if (!row) throw new Error('the post is gone');
  await editHeldPost(
    running.bot.heldPosts,
    { ...row, actor: ANA },
    buildPost({ text, at: TUESDAY, ...project }),
  );
}

/** A kind of message: who reads it, how it is sent, and what puts the canary into it. */
export interface MessageKind {
  name: string;
  readers: 'channel' | 'Mira';
  /** Sends the message. Resolves with the function that changes what it is about. `isShared`: outsiders read the channel. */
  send(world: World, about: { canary: string; isShared: boolean }): Promise<() => Promise<unknown>>;
}

export const MESSAGE_KINDS: readonly MessageKind[] = [
  {
    name: 'a shared card',
    readers: 'channel',
    async send(world, { canary, isShared }) {
      const ana = world.running.workspace.as('Ana').in(CHANNEL);
      await submitLine(ana, '/schedule-post 1 Dec 9am on x: We open at nine');
      await ana.choose('More options', 'Share');
      if (isShared) await pressAndSee(ana, 'Share anyway', 'Shared with');
      else await ana.sees('Shared with');
      const [row] = await listHeldPosts(world.database);
      if (!row) throw new Error('no post is held');
      return () => editAsAna(world, row, canary);
    },
  },
  {
    name: 'a review request in a channel',
    readers: 'channel',
    async send(world, { canary }) {
      const policy = {
        ...reviewedBy(MIRA),
        channel: world.running.workspace.as('Ana').in(CHANNEL).channel.id,
      };
      await world.savePolicy(policy, 'p2');
      const project = REVIEWED_IN_CHANNEL;
      const row = await holdPost(world.running, { text: 'Books at ten', at: TUESDAY, project, policy });
      await world.running.workspace.as('Ana').in(CHANNEL).sees('Books at ten');
      return () => editAsAna(world, row, canary, { project });
    },
  },
  {
    name: 'a review request by direct message',
    readers: 'Mira',
    async send(world, { canary }) {
      await world.savePolicy(reviewedBy(MIRA), 'p3');
      const project = REVIEWED_IN_PERSON;
      const row = await holdPost(world.running, {
        text: 'Beans at two',
        at: TUESDAY,
        project,
        policy: reviewedBy(MIRA),
      });
      await (await world.running.workspace.as('Mira').inDirectMessage()).sees('Beans at two');
      return () => editAsAna(world, row, canary, { project });
    },
  },
  {
    name: 'a card and notices to the author',
    readers: 'Mira',
    async send(world, { canary }) {
      const row = await holdPost(world.running, { text: 'Cake at four', at: TUESDAY, author: MIRA });
      await editAsAna(world, row, 'Cake at five');
      await (await world.running.workspace.as('Mira').inDirectMessage()).sees('Cake at five');
      return () => editAsAna(world, row, canary);
    },
  },
  {
    name: 'a notice of many posts',
    readers: 'Mira',
    async send(world, { canary }) {
      const text = canary;
      const held = [1, 2, 3, 4].map(() => holdPost(world.running, { text, at: TUESDAY, author: MIRA }));
      const posts = (await Promise.all(held)).map(({ content_hash: hash, ...post }) => ({ ...post, hash }));
      const press = { workspace: WORKSPACE, actor: ANA, posts };
      return () => changeAll(world.running.bot.heldPosts, press, { kind: 'cancel' });
    },
  },
  {
    name: 'a notice of a series',
    readers: 'Mira',
    async send(world, { canary }) {
      const { row } = await createSeries(world.running.bot.heldPosts, {
        ...{ workspace: WORKSPACE, author: MIRA, project: 'p1', origin: randomUUID(), channel: undefined },
        content: buildSeries('Soup of the day'),
      });
      return async () => {
        const current = await findSeries(world.database.db, row);
        if (current)
          await editSeries(world.running.bot.heldPosts, { ...current, actor: ANA }, buildSeries(canary));
      };
    },
  },
  {
    name: 'the receipt of a submission that somebody else has changed',
    readers: 'Mira',
    async send(world, { canary }) {
      const mira = await world.running.workspace.as('Mira').inDirectMessage();
      const { id: channel } = mira.channel;
      await mira.type('hello');
      await vi.waitUntil(() => mira.visible().length > 1, WAIT);
      const ts = mira.visible().findLast(({ user }) => user !== MIRA)?.ts ?? '';
      const context = world.running.bot.submissions.context;
      const message = { message_channel: channel, message_ts: ts, project: 'p1', origin: 'form' };
      await insertPost(
        world.database.db,
        { id: 'receipt', author: MIRA, createdAt: NOW },
        { state: 'discarded', reason: 'replaced', ...message },
      );
      return async () => {
        const content = context.encryption.encrypt(
          JSON.stringify(buildPost({ text: canary, at: TUESDAY })),
          WORKSPACE,
        );
        await insertPost(
          world.database.db,
          { id: 'changed', author: ANA, createdAt: NOW },
          { state: 'unsure', origin: 'receipt', content, project: 'p1' },
        );
        const [row] = await world.database.db
          .selectFrom('submission')
          .selectAll()
          .where('id', '=', 'receipt')
          .execute();
        if (row) await refreshShownMessage(context, row);
      };
    },
  },
  {
    name: 'Home',
    readers: 'Mira',
    async send(world, { canary }) {
      const row = await holdPost(world.running, { text: 'Jam at six', at: TUESDAY, author: MIRA });
      await world.running.workspace.as('Mira').home('Jam at six');
      return () => editAsAna(world, row, canary);
    },
  },
];
