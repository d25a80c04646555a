import { expect, test } from 'vitest';
import type { Entry } from '../history.ts';
import { createTruthCheck } from './check-truth.ts';

const NEWS = 'News §a1 for you';
const shown = (text: string): Entry => ({
  ...{ kind: 'shown', at: 0, workspace: 'TA1', channel: 'D1', reader: 'UA3', surface: 'message', id: '1' },
  ...{ isNew: true, text: `${text}\n${NEWS}` },
});
const created = (at: number): Entry => ({
  ...{ kind: 'created', at, workspace: 'TA1', project: 'plainA', content: NEWS, platforms: ['X'] },
  ...{ publishAt: at + 9, isDraft: false, isApplied: true, sentAt: 0 },
});
const PROMISE = 'Saved, not sent yet. I’ll keep trying for 24 hours.';

test('a promise to send waits until it’s kept, or somebody reads otherwise', () => {
  const ends: readonly Entry[] = [
    shown('Not sent.'),
    {
      kind: 'deed',
      at: 1,
      workspace: 'TA1',
      person: 'UA3',
      text: `presses Discard ${NEWS}`,
      pressed: 'Discard',
    },
    {
      ...{ kind: 'deed', at: 1, workspace: 'TA1', person: 'UA3', pressed: 'Undo import…' },
      text: 'presses [Undo import…] on 1.1',
    },
    created(1),
  ];
  for (const end of ends) {
    const truth = createTruthCheck();
    truth.add(shown(PROMISE));
    expect([...truth.listWaiting()]).toEqual([['§a1', 'I’ll keep trying for 24 hours.']]);
    truth.add(shown('Saved.'));
    expect(truth.listWaiting().size).toBe(1);
    truth.add(end);
    expect(truth.listWaiting().size).toBe(0);
  }
});

test('each digest may say the same of a post, but only once', () => {
  const truth = createTruthCheck();
  const send = (occurrence: string) => truth.add({ ...shown('⚠️ One post failed:'), occurrence } as Entry);
  expect([...send('monday 8:30'), ...send('monday 12:00')]).toEqual([]);
  expect(send('monday 12:00')).toEqual([expect.stringContaining('told twice')]);
});

test('a restored post that somebody schedules again, after they read that it may be there, is another one', () => {
  const press = (saw: string): Entry => ({
    ...{ kind: 'deed', at: 90_000, workspace: 'TA1', person: 'UA3', pressed: 'Schedule again', saw },
    text: 'presses [Schedule again] §a1',
  });
  const isDenied = (saw: string) => {
    const truth = createTruthCheck();
    truth.add(created(0));
    truth.add(press(saw));
    return truth.add({ ...shown('Editable until ⟨1805027400⟩.'), at: 200_000 }).length > 0;
  };
  expect(isDenied('The service may have it already.')).toBe(true);
  expect(isDenied('My data was restored from a backup, so the service may have it already.')).toBe(false);
});

test('the time of a stop isn’t that of the post below it', () => {
  const truth = createTruthCheck();
  const stop = ':octagonal_sign: *Plain A is stopped.*\nStopped by <@UA2>, <!date^1792821618^{time}|06:00>';
  const row = '*6:00 PM* · ✏️ Editable until Sun 5:30 PM · Shop A · X';
  expect(truth.add(shown(`${stop}\n${row}`))).toEqual([]);
  expect(truth.add(created(60_000))).toEqual([]);
});

test('a post that the service has isn’t denied, however new it was', () => {
  const truth = createTruthCheck();
  truth.add(created(0));
  expect(truth.add(shown('Not sent.'))).toEqual([]);
  expect(truth.listDenials()).toEqual([
    '§a1 is at the service, and the last that anybody read of it is “Not sent.”',
  ]);
  truth.add(shown('I don’t know whether your post was sent.'));
  expect(truth.listDenials()).toEqual([]);
});

test('a post goes out at the time that people read, until somebody acts', () => {
  const at = Date.parse('2026-11-30T08:00Z');
  const card = { ...shown('✏️ *Editable* · *Tue 1 Dec, 09:00*\nEditable until its hand-over.'), at };
  const create = (publishAt: string): Entry => ({
    ...{ kind: 'created', at: at + 1, workspace: 'TA1', project: 'keptA', content: NEWS, platforms: ['X'] },
    ...{ publishAt: Date.parse(publishAt), isDraft: false, isApplied: true, sentAt: 0 },
  });
  const check = (...entries: readonly Entry[]) => {
    const truth = createTruthCheck();
    return entries.flatMap((entry) => truth.add(entry));
  };
  expect(check(card, create('2026-12-01T08:00Z'))).toEqual([]);
  expect(check(card, create('2026-12-01T09:00Z'))).toEqual([expect.stringContaining('(has-time)')]);
  const move: Entry = {
    kind: 'deed',
    at,
    workspace: 'TA1',
    person: 'UA3',
    text: `submits Move to… ${NEWS}`,
  };
  const resume: Entry = {
    kind: 'deed',
    at,
    workspace: 'TA1',
    person: 'UA1',
    text: 'resumes all projects',
  };
  expect(check(card, resume, create('2026-12-01T09:00Z'))).not.toEqual([]);
  expect(check(card, move, create('2026-12-01T09:00Z'))).toEqual([]);
});
