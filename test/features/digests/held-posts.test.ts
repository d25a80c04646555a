import { expect, test } from 'vitest';
import { compareWithSnapshot, takeSnapshot } from '../../../src/digests/content/changes.ts';
import { listHeldPlan } from '../../../src/held-posts/listed-posts.ts';
import { createPlan, createPlannedPost } from '../../digests/content/weeks.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { data, json, listedPost } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, chooseAndSee } from '../../support/steps.ts';

const { ana, running } = setUpBot({});

/** Saves a digest with a command, and returns its preview. */
async function preview(command: string, text: string): Promise<string> {
  await ana.type(`/upnext digest ${command}`);
  await chooseAndSee(ana, 'More options', 'Preview for me', text);
  return ana.messages().at(-1) ?? '';
}

test('a daily digest lists held posts, and says until when they are editable', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-11-20T15:00:00Z' });
  expect(await preview('weekdays 8:30', 'We open at nine')).toContain('✏️ Editable until Fri 14:00');
});

test('held posts fill gaps, and are too close to posts of the service', async () => {
  for (const day of [20, 23, 24, 25, 26])
    await holdPost(running, { text: `Day ${day}`, at: `2026-11-${day}T15:00:00Z` });
  running.service.on('GET /posts', data([listedPost('At ten past', '2026-11-20T15:10:00Z', { Id: 'a' })]));
  const message = await preview('weekdays 8:30', 'At ten past');
  expect(message).toContain('under 30 minutes apart');
  expect(message).not.toContain('Nothing on');
});

test('the picture of a weekly digest shows held posts', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-11-24T15:00:00Z' });
  await ana.type('/upnext digest weekly monday 9:00');
  await ana.choose('More options', 'Preview for me');
  const directMessages = await running.workspace.as('Ana').inDirectMessage();
  await directMessages.sees('1 post to go');
  expect(directMessages.read()).toMatch(/We open at nine.*\(editable\)/s);
});

test('a post that the service gets between two digests isn’t new', async () => {
  const { id } = await holdPost(running, { text: 'We open at nine', at: '2026-11-24T15:00:00Z' });
  const context = running.bot.heldPosts;
  const query = { workspace: 'T01HARBOUR', projects: ['p1'] };
  const now = new Date('2026-11-20T12:00:00Z');
  const toPlan = (planned: ReturnType<typeof createPlannedPost>, heldId: string | undefined) => {
    const plan = createPlan([{ ...planned, heldId }], [planned.project]);
    return { ...plan, end: new Date('2026-11-29T00:00:00Z') };
  };
  const [held] = (await listHeldPlan(context, query)).posts;
  expect(held?.held.id).toBe(id);
  const earlier = createPlannedPost('2026-11-24T15:00:00Z', { ...held?.post });
  const snapshot = takeSnapshot(toPlan(earlier, held?.held.id), now);
  const sent = createPlannedPost('2026-11-24T15:00:00Z', { ...held?.post, id: 'made', status: 'SCHEDULED' });
  const changes = compareWithSnapshot(snapshot, toPlan(sent, id), now);
  expect(changes).toEqual([]);
  const withoutIds = compareWithSnapshot(snapshot, toPlan(sent, undefined), now);
  expect(withoutIds).toMatchObject([{ kind: 'added', planned: { post: { id: 'made' } } }]);
});

test('while the service is down, a digest lists held posts and says that the others couldn’t be read', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-11-20T15:00:00Z' });
  await ask(ana, '/upnext use Harbour Coffee', 'Harbour Coffee');
  await ask(ana, '/upnext digest weekdays 8:30', 'The first digest comes');
  running.service.on('GET /posts', json(500, 'oops'));
  running.service.on('GET /projects', json(500, 'oops'));
  await ana.choose('More options', 'Preview for me');
  await ana.sees('I couldn’t read the scheduling service’s posts. These are only the posts that I keep.');
  const message = ana.messages().at(-1) ?? '';
  expect(message).toContain('Harbour Coffee, Fri 20 Nov');
  expect(message).toMatch(/15:00.*Editable until Fri 14:00/s);
  expect(message).not.toContain('Nothing on');
  expect(message).not.toContain('more posts than I can read');
});
