import { expect, test } from 'vitest';
import { renderNoticeText } from '../../../src/held-posts/notices/notice-text.ts';
import { readShownPost } from '../../../src/held-posts/show.ts';
import { renderHeldPostCard, renderHeldPostEntry } from '../../../src/held-posts/text/held-post-card.ts';
import {
  getHeldPostCopy,
  HELD,
  HELD_REASONS,
  type HeldReason,
  type HeldState,
} from '../../../src/posts/state-copy.ts';
import { disableParsing } from '../../../src/slack/message.ts';
import { NOW } from '../../support/bot.ts';
import { holdPost, listHeldPosts } from '../../support/hold-posts.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { findWordingFaults, listTexts } from '../../support/wording.ts';

/** Slack accepts the card of a held post in every state, with any text, and people can read it. */
const { database, running, startBot } = setUpBot();
const STRANGE_TEXT = '<!channel> &amp; *_`~ \u202eright to left 🧑‍🔧 \ud800 <@UEVIL> <http://evil|good> :x:';

const STATES = Object.keys(HELD) as HeldState[];

/** Every state with every reason that it can have. */
const CASES = [
  ...STATES.map((state) => ({ state, reason: null })),
  ...(Object.keys(HELD_REASONS) as HeldReason[]).flatMap((reason) =>
    STATES.filter(
      (state) => getHeldPostCopy({ state, reason }) !== getHeldPostCopy({ state, reason: null }),
    ).map((state) => ({ state, reason })),
  ),
];

const holdOne = (text: string) => holdPost(running, { text, at: '2030-01-01' });

test.each([
  ['strange', STRANGE_TEXT],
  ['long', 'Wordy 🥐'.repeat(5_000)],
])('Slack accepts the cards of a post with a %s text', async (_name, text) => {
  // Slack accepts one message per second in a channel.
  await startBot({ limits: false });
  const context = running.bot.heldPosts;
  const row = await holdOne(text);
  const client = await context.findSlackClient(row.workspace);
  if (!client || client === 'unknown') throw new Error('no client');
  const readers = { viewers: 'everyone', now: NOW, names: new Map([[row.author, text]]) } as const;
  for (const [index, { state, reason }] of CASES.entries()) {
    const shown = await readShownPost(context, { ...row, state, reason });
    const note = renderNoticeText([{ kind: 'commented', actor: 'U02BENOKAF', text }]);
    const card = renderHeldPostCard(shown, readers, note);
    const message = index % 2 === 0 ? card : { text: 'List', blocks: renderHeldPostEntry(shown, readers) };
    const sent = await client.chat.postMessage({ channel: '#general', ...disableParsing(message) });
    expect(sent.ok).toBe(true);
  }
});

test('the texts of every state say what happened, and what to do', async () => {
  await startBot();
  const context = running.bot.heldPosts;
  const row = await holdOne('We open at nine');
  const texts: string[] = [];
  for (const { state, reason } of CASES) {
    const shown = await readShownPost(context, { ...row, state, reason });
    texts.push(...listTexts(renderHeldPostCard(shown, { viewers: {}, now: NOW })));
  }
  expect(texts.flatMap(findWordingFaults)).toEqual([]);
  expect(CASES.length).toBeGreaterThan(STATES.length);
  expect(await listHeldPosts(database)).toHaveLength(1);
});
