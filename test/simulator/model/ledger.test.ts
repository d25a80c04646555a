import { beforeEach, describe, expect, test } from 'vitest';
import { WORKSPACES } from '../cast.ts';
import type { CreatedPost, Deed, Shown } from '../history.ts';
import { createLedger } from './ledger.ts';

const NEWS = 'News §a1 for you';
let ledger: ReturnType<typeof createLedger>;
beforeEach(() => {
  ledger = createLedger(WORKSPACES);
});

const deed = (fields: Partial<Deed> & { at?: number }) =>
  ledger.add({ kind: 'deed', at: 0, workspace: 'TA1', person: 'UA3', text: '', ...fields });
const create = (fields: Partial<CreatedPost> & { at?: number } = {}) =>
  ledger.add({
    ...{
      kind: 'created',
      at: 0,
      workspace: 'TA1',
      project: 'plainA',
      content: NEWS,
      platforms: ['X'],
      publishAt: 9e9,
    },
    ...{ isDraft: false, isApplied: true, sentAt: 0, ...fields },
  });
const show = (fields: Partial<Shown> & { at?: number }) =>
  ledger.add({
    ...{ kind: 'shown', at: 0, workspace: 'TA1', channel: '', reader: 'UA3', surface: 'message', id: '1' },
    ...{ isNew: true, text: '', ...fields },
  });
const write = () => deed({ text: 'types a line', wrote: [NEWS] });

describe('posts at the service', () => {
  test('one request for each post, unless somebody asked for another who had read why not', () => {
    write();
    expect(create()).toEqual([]);
    expect(create()).toEqual(['§a1 is at the service 2 times']);
    const saw = `I don’t know whether your post was sent. ${NEWS}`;
    deed({ pressed: 'Send again', saw, place: '1' });
    deed({ pressed: 'Send again', saw, place: '2' });
    expect(create()).toEqual([]);
    // A second tap, and another press that asks for nothing.
    deed({ pressed: 'Send again', saw, place: '2' });
    deed({ pressed: 'Comment', saw, place: '3' });
    expect(create()).toEqual(['§a1 is at the service 4 times']);
  });

  test('an edit that its author made without knowing another, unless they read of it', () => {
    write();
    const open = (at: number, text: string) => show({ surface: 'form', id: 'F1', at, text });
    open(1, NEWS);
    show({ surface: 'form', id: 'F2', reader: 'UA4', at: 1, text: NEWS });
    deed({ at: 2, person: 'UA4', pressed: 'submit', form: 'F2', wrote: ['§a1.1'] });
    show({ surface: 'form', id: 'F2', reader: 'UA4', at: 3, text: 'Saved. §a1.1' });
    deed({ at: 4, pressed: 'submit', form: 'F1', wrote: ['§a1.2'] });
    expect(create({ content: '§a1.2', isApplied: true })).toEqual([
      '§a1.2 went out, which replaced a version that its author hadn’t seen',
    ]);
    open(5, '<@UA4> changed this post since you opened this form. Text: §a1.1');
    deed({ at: 6, pressed: 'submit', form: 'F1', wrote: ['§a1.2'], saw: 'I don’t know whether §a1' });
    expect(create({ content: '§a1.2' })).toEqual([]);
  });

  test('a post of which nobody who had a part in it may schedule posts any more', () => {
    const minute = 60_000;
    write();
    deed({ text: 'is now viewer', at: minute });
    expect(create({ sentAt: 20 * minute })).toEqual([]);
    ledger = createLedger(WORKSPACES);
    write();
    deed({ text: 'is now viewer', at: minute });
    expect(create({ sentAt: 60 * minute })).toEqual([
      '§a1 was sent, although nobody who had a part in it may schedule posts any more',
    ]);
    ledger = createLedger(WORKSPACES);
    write();
    deed({ text: 'leaves', at: minute });
    // Somebody else who may schedule posts has taken it over.
    deed({ person: 'UA4', pressed: 'Take over', saw: NEWS, at: 2 * minute });
    expect(create({ sentAt: 60 * minute })).toEqual([]);
  });

  test('drafts are no second post, and refused requests are none', () => {
    write();
    expect([create({ isDraft: true }), create({ isApplied: false }), create()].flat()).toEqual([]);
  });

  test('nobody wrote it, or another workspace did', () => {
    expect(create()).toEqual([`the service got a post that nobody wrote: ${NEWS}`]);
    write();
    expect(create({ workspace: 'TB1' })).toEqual(['§a1 of TA1 reached the account of TB1']);
  });

  test('after people have read that the project is stopped, nothing more, until somebody resumes it', () => {
    write();
    show({ text: 'Plain A is stopped.' });
    expect(create({ sentAt: 10_000 })).toEqual([]);
    expect(create({ sentAt: 60_000, isApplied: false })).toEqual(['§a1 was sent while Plain A was stopped']);
    deed({ at: 60_000, pressed: 'Resume', saw: 'Plain A' });
    expect(create({ sentAt: 60_000, isApplied: false })).toEqual([]);
    // A Home tab that was rendered before the press arrives after it.
    show({ at: 61_000, text: 'Plain A is stopped.' });
    expect(create({ sentAt: 120_000, isApplied: false })).toEqual([]);
  });

  test('where reviews are required, exactly the approved version, by somebody who may approve', () => {
    write();
    const missing = ['§a1.2 went out without an approval of this version'];
    const version = { project: 'checkedA', content: 'Better news §a1.2 for you', sentAt: 120_000 };
    deed({ pressed: 'Approve', person: 'UA2', saw: NEWS });
    deed({ pressed: 'Approve', person: 'UA3', saw: version.content });
    expect(create(version)).toEqual(missing);
    ledger = createLedger(WORKSPACES);
    write();
    deed({ pressed: 'Approve', person: 'UA2', saw: version.content });
    expect(create(version)).toEqual([]);
  });
});

describe('a post with a text of its own for X', () => {
  const own = 'Short news §a1.1 for X';
  const form = { pressed: 'submit', wrote: [NEWS, own], texts: { X: own, LINKEDIN: NEWS, THREADS: NEWS } };
  const others = { platforms: ['LINKEDIN', 'THREADS'] };

  test('each text goes to its platforms once', () => {
    deed(form);
    expect([create(others), create({ content: own })].flat()).toEqual([]);
    expect(create({ content: own })).toEqual(['§a1 is at the service 2 times']);
  });

  test('no text goes to another platform, and platforms with one text share a post', () => {
    deed(form);
    expect(create()).toEqual([`X got “${NEWS}”, which nobody wrote for it`]);
    expect(create({ platforms: ['LINKEDIN'] })).toEqual([`the service has “${NEWS}” in several posts`]);
  });

  test('after both texts were saved, none of an earlier form goes out', () => {
    deed(form);
    deed({ pressed: 'submit', wrote: [NEWS], texts: { X: NEWS, LINKEDIN: NEWS } });
    show({ surface: 'form', text: `Saved.\n${NEWS}` });
    expect(create({ content: own })).toEqual([
      `X got “${own}”, which nobody wrote for it`,
      '§a1 was saved last, but §a1.1 went out',
    ]);
  });
});

describe('posts in the next slot', () => {
  const at = (time: string) => Date.parse(`${time}+01:00`);
  const createIn = (content: string, publishAt: number) => create({ project: 'keptA', content, publishAt });
  const other = 'News §a2 for you';
  beforeEach(() => {
    for (const text of [NEWS, other]) deed({ pressed: 'submit', wrote: [text], when: 'next slot' });
  });

  test('each has one of its own, at a posting time', () => {
    expect(createIn(NEWS, at('2026-11-23T09:00'))).toEqual([]);
    expect(createIn(other, at('2026-11-23T09:00'))).toEqual(['§a2 has the slot of §a1']);
    expect(createIn(other, at('2026-11-23T09:01'))).toContain(
      '§a2 went out at 09:01, which isn’t a posting time',
    );
  });

  test('none has one on a blackout day', () => {
    expect(createIn(NEWS, at('2026-11-21T13:30'))).toEqual(['§a1 went out on a blackout day, 2026-11-21']);
  });

  test('a time that somebody wrote may be any', () => {
    deed({ pressed: 'submit', saw: other, when: 'tomorrow 9am' });
    expect(createIn(NEWS, at('2026-11-23T09:00'))).toEqual([]);
    expect(createIn(other, at('2026-11-23T09:00'))).toEqual([]);
  });
});

describe('a post that somebody asks for again', () => {
  const saw = `${NEWS}\nI couldn’t find your post.`;
  const ask = (at: number, fields: Partial<Deed> = {}) => deed({ at, pressed: 'Send again', saw, ...fields });
  const send = (at: number) => create({ at, sentAt: at, publishAt: 9_000_000 });

  test('isn’t sent again if the service had it by then', () => {
    deed({ pressed: 'submit', wrote: [NEWS] });
    send(100_000);
    ask(500_000);
    expect(send(510_000)).toEqual([
      expect.stringContaining('§a1 was sent again, although the service had it'),
    ]);
  });

  test('is sent again if it came later, or if they know of it', () => {
    deed({ pressed: 'submit', wrote: [NEWS] });
    send(490_000);
    ask(500_000);
    expect(send(510_000)).toEqual([]);
    ask(900_000, { saw: `${saw}\nThe service lists a post like it.` });
    expect(send(910_000)).toEqual([]);
  });
});

describe('a post with a picture', () => {
  const media = 'https://upnext.example.com/media/x.png';
  const publish = (picture: number | 'missing') =>
    ledger.add({ kind: 'published', at: 0, workspace: 'TA1', content: NEWS, picture });
  const submit = (fields: Partial<Deed> = {}) =>
    deed({ pressed: 'submit', wrote: [NEWS], texts: { X: NEWS }, ...fields });

  test('goes out with that of its form, and with no other', () => {
    submit({ picture: 401 });
    expect([create({ media }), publish(401)].flat()).toEqual([]);
    expect(publish(402)).toEqual(['§a1 was published with another picture, 402']);
    expect(create({ isApplied: true, isDraft: true })).toEqual([`“${NEWS}” went out without its picture`]);
  });

  test('keeps it in an edit whose form has only its address', () => {
    submit({ picture: 401 });
    submit({ picture: 'kept' });
    expect([create({ media }), publish(401)].flat()).toEqual([]);
    expect(publish(402)).toEqual(['§a1 was published with another picture, 402']);
  });

  test('goes out with that of the last form that was saved', () => {
    submit({ picture: 401 });
    submit({ picture: 402 });
    show({ surface: 'form', text: `Saved.\n${NEWS}` });
    create({ media });
    expect(publish(401)).toEqual(['§a1 was published with picture 401 instead of 402, which was saved last']);
    expect(publish(402)).toEqual([]);
  });

  test('has none if nobody chose one', () => {
    submit();
    expect(create({ media })).toEqual([`“${NEWS}” went out with a picture that nobody chose`]);
  });

  test('the service can fetch it, unless everything was deleted', () => {
    submit({ picture: 401 });
    expect(publish('missing')).toEqual(['the picture of §a1 was gone when it was published']);
    ledger.forget(() => true);
    expect(publish('missing')).toEqual([]);
  });
});

test.each([
  { reads: 'Saved.\nBetter news §a1.1 for you', violations: ['§a1.1 was saved last, but §a1 went out'] },
  { reads: 'Your change isn’t saved.\nBetter news §a1.1 for you\nSaved. Sending…', violations: [] },
])('after somebody has read “$reads”, an earlier version goes out: $violations', ({ reads, violations }) => {
  write();
  deed({ pressed: 'submit', wrote: ['Better news §a1.1 for you'] });
  show({ surface: 'ephemeral', text: reads });
  expect(create()).toEqual(violations);
});

test('after somebody has read that an earlier version is saved, which came later from another device, it goes out', () => {
  write();
  deed({ pressed: 'submit', wrote: ['Better news §a1.1 for you'] });
  show({ surface: 'ephemeral', text: 'Saved.\nBetter news §a1.1 for you' });
  show({ surface: 'ephemeral', text: `Saved.\n${NEWS}` });
  expect(create()).toEqual([]);
});

test('so it does if only one of its texts is another than before', () => {
  write();
  const [main, forX] = ['Better news §a1.2 for you', 'Short news §a1.1 for X'];
  deed({ pressed: 'submit', wrote: [main, forX] });
  show({ surface: 'ephemeral', text: `Saved.\n${main}\n${forX}` });
  show({ surface: 'ephemeral', text: `Saved.\n${NEWS}\n${forX}` });
  expect(create()).toEqual([]);
});

test('nobody reads names or posts of another workspace', () => {
  expect(show({ text: 'Plain A, OlgaA, §a1' })).toEqual([]);
  expect(show({ text: 'Plain B' })).toEqual(['TA1 reads of another workspace: Plain B']);
  expect(show({ text: 'News §b1 for you' })).toEqual(['TA1 reads of another workspace: §b']);
  expect(show({ text: 'Media: https://upnext.example.com/media/YpCB1W.png' })).toEqual([]);
});

test('a post counts as sent once its form was accepted or its draft was scheduled', () => {
  const isSent = () => ledger.wishes.get('§a1')?.isSent;
  write();
  expect(isSent()).toBe(false);
  deed({ pressed: 'submit', wrote: [NEWS] });
  expect(isSent()).toBe(true);
  show({ surface: 'errors', text: 'Pick a later one.' });
  expect(isSent()).toBe(false);
  deed({ pressed: 'Schedule', saw: NEWS });
  expect(isSent()).toBe(true);
  for (const text of [
    'Nothing was sent. Your form is still here: go back.',
    '*This form is out of date. Nothing was sent.*\nYour text, to copy:',
    `*Not saved.* Try again.\n(${NEWS})`,
    `*I’m not sure this was saved.* Press the button again: it’s saved only once.\n(${NEWS})`,
  ]) {
    deed({ pressed: 'submit', wrote: [NEWS] });
    expect(isSent()).toBe(true);
    show({ surface: 'form', text });
    expect(isSent()).toBe(false);
  }
});
