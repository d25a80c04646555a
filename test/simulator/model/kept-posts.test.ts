import { beforeEach, describe, expect, test } from 'vitest';
import { WORKSPACES } from '../cast.ts';
import type { CreatedPost, Deed, Shown, ShownButton } from '../history.ts';
import { createLedger } from './ledger.ts';

const ROW = '11111111-2222-4333-8444-555555555555';
const MINUTE = 60_000;
const NOW = Date.parse('2026-11-30T08:00Z');
let ledger: ReturnType<typeof createLedger>;
beforeEach(() => {
  ledger = createLedger(WORKSPACES);
  deed({ text: 'types a line', wrote: ['News §a1 for you'] });
});

const deed = (fields: Partial<Deed> & { at?: number }) =>
  ledger.add({ kind: 'deed', at: NOW, workspace: 'TA1', person: 'UA3', text: '', ...fields });
/** A card of the post. `actions`: those of its buttons. */
function show(
  version: number,
  { text = '§a1', when = 'Tue 1 Dec, 09:00', actions = ['held-posts.edit'], author = '<@UA3>' } = {},
  fields: Partial<Shown> & { at?: number } = {},
) {
  const buttons = actions.map((actionId): ShownButton => ({ actionId, value: `${ROW}.${version}` }));
  const card = `✏️ *Editable* · *${when}*\nNews ${text} for you\nX · Shop A · by ${author} · It’s kept.`;
  return ledger.add({
    ...{
      kind: 'shown',
      at: NOW,
      workspace: 'TA1',
      channel: 'D1',
      reader: 'UA3',
      surface: 'message',
      id: '1',
    },
    ...{ isNew: true, text: card, buttons, ...fields },
  });
}
const create = (fields: Partial<CreatedPost> = {}) =>
  ledger.add({
    ...{ kind: 'created', at: NOW + MINUTE, workspace: 'TA1', project: 'keptA', content: 'News §a1 for you' },
    ...{ platforms: ['X'], publishAt: Date.parse('2026-12-01T08:00Z'), isDraft: false, isApplied: true },
    ...{ sentAt: NOW + 10 * MINUTE, ...fields },
  });

describe('posts that Upnext keeps', () => {
  test('one version is the same whenever somebody reads it', () => {
    expect(show(1)).toEqual([]);
    expect(show(1)).toEqual([]);
    expect(show(1, { when: 'Tue 1 Dec, 10:00' })).toEqual([
      'one version of §a1 has two times: 2026-12-01T08:00:00.000Z and 2026-12-01T09:00:00.000Z',
    ]);
    expect(show(1, { text: '§a1.1' })).toEqual(['one version of §a1 is both §a1 and §a1.1']);
    expect(show(2, { text: '§a1.1', when: 'Tue 1 Dec, 10:00' })).toEqual([]);
  });

  test('a move does what its form shows', () => {
    const move = () => {
      show(1);
      deed({
        ...{ pressed: 'submit', form: 'V1', saw: 'Move to…\n“News §a1”\n📅 Tue 1 Dec, 11:00 (Berlin)' },
        ...{ when: 'tomorrow 11am', metadata: JSON.stringify({ post: `${ROW}.1.hash`, does: 'move' }) },
      });
    };
    const answer = { surface: 'form', id: 'V1', at: NOW + 1_000 } as const;
    move();
    expect(show(2, { when: 'Tue 1 Dec, 11:00' }, answer)).toEqual([]);
    ledger = createLedger(WORKSPACES);
    deed({ wrote: ['News §a1 for you'] });
    move();
    expect(show(2, { when: 'Tue 1 Dec, 09:00' }, answer)).toEqual([
      'the move of §a1 to 2026-12-01T10:00:00.000Z was answered with 2026-12-01T08:00:00.000Z',
    ]);
  });

  test('a form that was sent twice may be answered as it was sent first', () => {
    show(1);
    for (const text of ['§a1.1', '§a1.2'])
      deed({
        ...{
          pressed: 'submit',
          form: 'V1',
          wrote: [text],
          mainText: text,
          texts: { X: `News ${text} for you` },
        },
      });
    const answer = { surface: 'form', id: 'V1', at: NOW + 1_000 } as const;
    expect(show(2, { text: '§a1.1' }, answer)).toEqual([]);
    expect(show(3, { text: '§a1' }, answer)).toEqual(['the edit of §a1.2 was answered with §a1']);
  });

  test('an edit is answered with what it wrote', () => {
    show(1);
    const edit = {
      pressed: 'submit',
      form: 'V1',
      wrote: ['§a1.1'],
      texts: { X: 'News §a1.1 for you' },
      mainText: '§a1.1',
    };
    deed(edit);
    expect(show(2, { text: '§a1' }, { surface: 'form', id: 'V1', at: NOW + 1_000 })).toEqual([
      'the edit of §a1.1 was answered with §a1',
    ]);
  });

  test('the newest version goes out', () => {
    show(1);
    show(2, { text: '§a1.1' });
    expect(create()).toContain(
      '§a1 for 2026-12-01T08:00:00.000Z went out, an older version than §a1.1 for 2026-12-01T08:00:00.000Z',
    );
    expect(create({ content: 'News §a1.1 for you' }).filter((each) => each.includes('older'))).toEqual([]);
  });

  test('exactly this version has an approval, of somebody who may approve it', () => {
    const approve = (person: string, version: number) =>
      deed({
        ...{ person, pressed: 'Approve', saw: 'News §a1 for you', at: NOW + MINUTE },
        button: { actionId: 'review.approve', value: `${ROW}.${version}.hash` },
      });
    const check = (...steps: (() => unknown)[]) => {
      ledger = createLedger(WORKSPACES);
      deed({ wrote: ['News §a1 for you'] });
      show(1);
      for (const step of steps) step();
      return create({ project: 'checkedA' }).filter((each) => each.includes('enough approvals'));
    };
    const missing = (reason: string) => [`§a1 went out without enough approvals: ${reason}`];
    const move = () => show(2, { when: 'Tue 1 Dec, 11:00' }, { at: NOW + 2 * MINUTE });
    expect(check(() => approve('UA2', 1))).toEqual([]);
    expect(check()).toEqual(missing('nobody has approved it'));
    expect(check(() => approve('UA2', 1), move)).toEqual(missing('only an earlier version was approved'));
    expect(check(() => approve('UA4', 1))).toEqual(missing('whoever approved it may not do so'));
    const author = () => {
      ledger = createLedger(WORKSPACES);
      deed({ person: 'UA2', wrote: ['News §a1 for you'] });
      show(1);
      approve('UA2', 1);
    };
    expect(check(author)).toEqual(missing('whoever approved it may not do so'));
  });

  test('whoever takes a post over is its author, and may schedule it', () => {
    const takeOver = () => {
      show(1, { actions: ['held-posts.take-over'] });
      deed({
        ...{ person: 'UA4', pressed: 'Take over', saw: 'News §a1 for you' },
        button: { actionId: 'held-posts.take-over', value: `${ROW}.1` },
      });
    };
    const later = { at: NOW + 5 * MINUTE };
    takeOver();
    expect(show(1, { author: '<@UA4>' }, later)).toEqual([]);
    expect(show(1, { author: 'PaulA' }, later)).toEqual([]);
    expect(show(1, {}, later)).toEqual(['UA4 took §a1 over, but <@UA3> is its author']);
    expect(show(1, { author: 'PaulA', actions: ['held-posts.take-over'] }, later)).toEqual([
      'UA4 took §a1 over and may schedule it, but nobody may',
    ]);
  });
});
