import { describe, expect, test } from 'vitest';
import {
  type Copy,
  getSentCopy,
  HELD,
  HELD_REASONS,
  PUBLICATION,
  REVIEW,
  SENT_REASONS,
  type SentReason,
} from '../../../src/posts/state-copy.ts';
import { STATES } from '../../../src/submissions/submission.ts';
import type { Entry, Shown } from '../history.ts';
import { createTruthCheck, RESTORED } from './check-truth.ts';
import { findUnknownSentences, readStatements } from './claims.ts';

const NINE = Date.parse('2026-12-01T08:00:00Z');
const MINUTE = 60_000;

function show(text: string, more: Partial<Shown> = {}): Shown {
  const place = {
    workspace: 'T1',
    channel: 'C1',
    reader: '',
    id: '1',
    surface: 'message',
    isNew: true,
  } as const;
  return { ...place, text, ...more };
}

/** "at-service not-published" of each post. */
function read(text: string): Record<string, string> {
  const byToken = Map.groupBy(readStatements(show(text)), ({ token }) => token);
  return Object.fromEntries(
    [...byToken].map(([token, statements]) => [
      token,
      [...new Set(statements.flatMap(({ claims }) => claims.map(({ kind }) => kind)))].join(' '),
    ]),
  );
}

test('a post of a list isn’t overdue because the one above it is', () => {
  const list = '*12:19 PM* · ⚠️ Overdue · X\nNews §k2 for you\n*1:30 PM* · ✅ Published · X\nNews §k1 for you';
  expect(read(list)).toEqual({ '§k1': 'published', '§k2': 'at-service not-published' });
});

test('what a form says of its own post isn’t said of the one that it offers to continue', () => {
  const offer = 'You have an unsaved post from *Sat 24 Oct, 08:02 (Berlin)*.\nNews §k1 for you\n';
  const form = `${offer}Text\nI’ll hand it over to the scheduling service in time.`;
  expect(readStatements(show(form, { surface: 'form' }))).toEqual([]);
});

test('the check of an import promises nothing, because nothing is imported yet', () => {
  const check = `*pasted rows*: 1 row. Nothing is imported yet.
*1 post* for Shop A, times in Berlin:
• 19 – 25 Oct 2026: 1 post
First: Sun 25 Oct, 10:30 AM (Berlin), “News §a1 for you”
Each post: Editable until 30 minutes before it goes out. I’ll hand it over to the scheduling service in time.
You can undo the whole import until its posts go to the scheduling service.`;
  expect(readStatements(show(check))).toEqual([]);
  expect(findUnknownSentences(show(check))).toEqual([]);
});

/** Only submissions of other kinds than posts are sent again by themselves. */
const { 'repeat-not-checked': _, ...SENT_REASONS_OF_POSTS } = SENT_REASONS;

test('every sentence about the state of a post is known', () => {
  const copies: Partial<Copy>[] = [
    ...Object.values({ ...HELD, ...PUBLICATION, ...REVIEW }),
    ...Object.values(HELD_REASONS),
    ...STATES.flatMap((state) =>
      [null, ...Object.keys(SENT_REASONS_OF_POSTS)].flatMap((reason) =>
        [false, true].map((maybe_sent) => getSentCopy({ state, reason: reason as SentReason, maybe_sent })),
      ),
    ),
  ];
  const values: Record<string, string> = {
    ...{ UNTIL: 'Tue 1 Dec, 08:00 (Berlin)', LEAD: '1 hour', NOUN: 'post' },
    REASON: 'The service is unavailable.',
  };
  const sentences = copies.map(({ sentence = '' }) =>
    sentence.replaceAll(/[A-Z]{4,}/g, (name) => values[name] ?? name),
  );
  expect(sentences.flatMap((sentence) => findUnknownSentences(show(`${sentence}\n“§k1 x”`)))).toEqual([]);
});

describe('sentences', () => {
  test.each([
    ['🗓️ *Scheduled for Tue 1 Dec, 09:00 (Berlin).*\nHello §k1', 'at-service'],
    [
      '⏳ *Saved, not sent yet. The service is unavailable. I’ll keep retrying.*\nPost for A, Tue 1 Dec\n“§k1 x”',
      'not-at-service kept to-be-sent',
    ],
    [
      '❔ Saved. The service didn’t confirm it, so I’m checking. I won’t send it twice.\n§k1',
      'kept uncertain not-sent-twice',
    ],
    [
      '❌ Not sent. I couldn’t send it for 24 hours. Your text is below.\n§k1\n[Send again] [Edit]',
      'not-at-service will-not-be-sent kept',
    ],
    [
      '❔ I couldn’t find your post after 2 minutes. It may still turn up, so I won’t send it again.\n§k1',
      'uncertain not-found not-sent-again',
    ],
    [
      '✏️ Editable · Tue 1 Dec, 09:00\n§k1\nX · Shop A · Editable until Tue 1 Dec, 08:00 (Berlin). I’ll hand it over to the scheduling service in time.',
      'not-at-service kept to-be-sent',
    ],
    [
      '⏳ Sending… · Tue 1 Dec, 09:00\nSaved. I’m sending it, and the scheduling service hasn’t answered yet.\n§k1',
      'kept uncertain',
    ],
    [
      'Scheduled\nThe scheduling service publishes it at its time. You can’t edit or delete it from Slack.\n§k1',
      'at-service',
    ],
    [
      'Please review this post\nWaiting for @Ben. Without approval by <!date^1796112000^{date_short}|x>, it isn’t sent.\n§k1',
      'not-at-service will-not-be-sent',
    ],
    ['Published on X. “§k1 Hello”', 'published'],
  ])('%s', (text, claims) => {
    expect(read(text)).toEqual({ '§k1': claims });
    expect(findUnknownSentences(show(text))).toEqual([]);
  });

  test('an outdated form and the fields of a refusal claim nothing of a post', () => {
    const outdated =
      '*This form is out of date. Nothing was sent.*\nType `/schedule-post` for a new one.\nYour text, to copy:\n§k1';
    const refused = '• Schedule date: must be in the future\n§k1';
    for (const text of [outdated, refused]) {
      expect(read(text)).toEqual({});
      expect(findUnknownSentences(show(text))).toEqual([]);
    }
    expect(findUnknownSentences(show('Nothing was sent.\n§k1'))).toEqual(['Nothing was sent.']);
  });

  test('lists say something of a post only in its row', () => {
    const outbox = 'Outbox\n⏳ Saved, not sent yet.\n“§k1 a”\n[Retry now]\n❌ Not sent.\n“§k2 b”\n[Edit]';
    expect(read(outbox)).toEqual({
      '§k1': 'not-at-service kept to-be-sent',
      '§k2': 'not-at-service will-not-be-sent',
    });
    const list =
      'Upcoming\nTue 09:00 · X\n§k1 a\n[Open]\nTue 10:00 · ✏️ Editable until Tue 09:00 · X\n§k2 b\nNot published yet\nMon 10:00 · ⏳ Waiting\n§k3\nMon · X\n§k4';
    expect(read(list)).toEqual({
      '§k2': 'not-at-service kept to-be-sent',
      '§k3': 'kept',
    });
  });

  test('a text that came too late claims nothing beside the post that was sent', () => {
    const late = 'Scheduled\nYour change isn’t saved.\nThis is what you wrote:\n§k2 b\n§k1 a\n[Close]';
    expect(Object.keys(read(late))).toEqual(['§k1']);
  });

  test('quoted texts, buttons and fields claim nothing', () => {
    expect(read('“It won’t be sent. §k1 It won’t be sent.”\n[Cancelled]')).toEqual({});
    expect(readStatements(show('Not sent\n(§k1 hello)', { surface: 'form' }))).toEqual([]);
    const unknown = findUnknownSentences(show('I’ve sent 3 of it at 09:30 to @Ben.\n§k1'));
    expect(unknown).toEqual(['I’ve sent N of it at TIME to @NAME.']);
  });
});

describe('truth', () => {
  const said = (minutes: number, text: string): Entry => ({
    at: minutes * MINUTE,
    kind: 'shown',
    ...show(`${text}\n§k1 hello`),
  });
  const deed = (minutes: number, text: string): Entry => ({
    at: minutes * MINUTE,
    kind: 'deed',
    workspace: 'T1',
    person: 'Ana',
    text,
  });
  const create = (minutes: number, isApplied = true, sentAt = minutes): Entry => ({
    ...{
      at: minutes * MINUTE,
      kind: 'created',
      workspace: 'T1',
      project: 'p',
      content: '§k1 hello',
      platforms: ['X'],
    },
    ...{ publishAt: NINE, isDraft: false, isApplied, sentAt: sentAt * MINUTE },
  });
  const publish = (minutes: number): Entry => ({
    at: minutes * MINUTE,
    kind: 'published',
    workspace: 'T1',
    content: '§k1 hello',
  });
  const check = (entries: Entry[]) => {
    const truth = createTruthCheck();
    return entries.flatMap((entry) => truth.add(entry)).length;
  };
  const scheduled = 'Scheduled for Tue 1 Dec, 09:00 (Berlin).';

  test.each<[string, number, Entry[]]>([
    ['at the service', 0, [create(1), said(1, scheduled)]],
    [
      'in the zone of the reader',
      0,
      [create(1), said(1, 'Scheduled for Tue 1 Dec, 8:00 AM (09:00 Berlin).')],
    ],
    ['not at the service', 1, [create(1, false), said(1, scheduled)]],
    ['at another time', 1, [create(1), said(1, 'Scheduled for Tue 1 Dec, 10:00 (Berlin).')]],
    ['applied while the message travels', 0, [create(1), said(1.5, 'Saved, not sent yet.')]],
    ['applied before', 1, [create(1), said(5, 'Saved, not sent yet.')]],
    [
      'sent after a cancellation',
      1,
      [deed(1, 'presses Cancel §k1'), said(1, 'It won’t be sent.'), create(9)],
    ],
    ['sent after it was restored', 0, [said(1, 'It won’t be sent.'), deed(2, 'presses Undo §k1'), create(9)]],
    ['sent after a resumption', 0, [said(1, 'It won’t be sent.'), deed(2, '/upnext resume'), create(9)]],
    ['another person’s press', 1, [said(1, 'It won’t be sent.'), deed(2, 'presses Undo §k2'), create(9)]],
    ['sent twice', 1, [create(1), said(2, 'I won’t send it twice.'), create(9)]],
    ['found', 0, [said(1, 'I won’t send it twice.'), create(9)]],
    ['late, not again', 0, [said(1, 'I won’t send it again.'), create(2, true, 0)]],
    ['again', 1, [said(1, 'I won’t send it again.'), create(30, false)]],
    ['published', 0, [create(1), publish(2), said(2, 'Published on X.')]],
    ['not published', 1, [create(1), said(2, 'Published on X.')]],
    ['published before', 1, [create(1), publish(2), said(9, 'Failed on X.')]],
    ['told twice', 1, [said(1, 'Not sent.'), said(2, 'Not sent.')]],
    [
      'told again after a backup was restored',
      0,
      [said(1, 'Not sent.'), { at: 2, kind: 'note', text: RESTORED }, said(3, 'Not sent.')],
    ],
    ['told after a deed', 0, [said(1, 'Not sent.'), deed(2, 'presses Edit §k1'), said(3, 'Not sent.')]],
  ])('%s: %d', (_name, count, entries) => {
    expect(check(entries)).toBe(count);
  });
});

describe('a post with texts of its own for some platforms', () => {
  const card =
    'Scheduled on 2 of 3 platforms: LinkedIn and Threads. X: Not sent. It was too long.\n§k1 hello';
  const create = (platforms: string[], minutes = -5): Entry => ({
    ...{
      at: minutes * MINUTE,
      kind: 'created',
      workspace: 'T1',
      project: 'p',
      content: '§k1 hello',
      platforms,
    },
    ...{ publishAt: NINE, isDraft: false, isApplied: true, sentAt: minutes * MINUTE },
  });
  const check = (...entries: readonly Entry[]) => {
    const truth = createTruthCheck();
    const form = {
      kind: 'deed',
      at: -6 * MINUTE,
      workspace: 'T1',
      person: 'U1',
      text: 'submits §k1',
    } as const;
    truth.add({ ...form, texts: { X: 'short', LINKEDIN: 'long', THREADS: 'long' } });
    return [...entries, { ...show(card), kind: 'shown', at: 0 } as const].flatMap((entry) =>
      truth.add(entry),
    );
  };

  test('its card counts the platforms that have it, and says what the others are about', () => {
    expect(readStatements(show(card))).toMatchObject([
      { claims: [{ kind: 'on-platforms', sent: ['LINKEDIN', 'THREADS'], total: 3 }] },
      { claims: [{ kind: 'not-at-service' }, { kind: 'will-not-be-sent' }], platforms: ['X'] },
    ]);
    expect(findUnknownSentences(show(card))).toEqual([]);
  });

  test.each<[string, readonly Entry[], RegExp | undefined]>([
    ['both have it', [create(['LINKEDIN', 'THREADS'])], undefined],
    ['one of them has it', [create(['LINKEDIN'])], /THREADS has no such post/],
    ['X has it too', [create(['LINKEDIN', 'THREADS']), create(['X'])], /the service has it/],
  ])('%s', (_name, entries, violation) => {
    const found = check(...entries).join('\n');
    if (violation) expect(found).toMatch(violation);
    else expect(found).toBe('');
  });

  test('the count is that of the platforms that somebody chose', () => {
    const truth = createTruthCheck();
    truth.add(create(['LINKEDIN', 'THREADS']));
    expect(truth.add({ ...show(card), kind: 'shown', at: 0 })).toEqual([
      expect.stringContaining('nobody chose 3 platforms'),
    ]);
  });
});
