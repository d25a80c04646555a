import { expect, test } from 'vitest';
import { formWords } from '../../../../src/features/schedule-post/sent/form-words.ts';
import { inert } from '../../../../src/slack/message.ts';

const now = new Date('2026-11-20T12:00:00Z');
const project = { id: 'p1', name: 'Harbour Coffee' };
const typed = {
  text: `${'a'.repeat(2_990)} the end`,
  platforms: ['X'],
  status: 'SCHEDULED' as const,
  when: '1 Dec 9am',
  zone: 'Europe/Lisbon',
  media: 'photo:1',
  prompt: '',
};
const loaded = { projects: [project], more: false, chosen: project };
const words = formWords(
  { formId: 'f', loaded, typed, generation: 0, whenLine: '', practice: false, now },
  { now, practice: false },
);
const submission = { id: 's', content: { typed, project }, shared: false };
const said = (message: Parameters<typeof inert>[0]) => JSON.stringify(inert(message));

test('what could not be saved comes back whole: nothing else keeps it', () => {
  const message = said(words.message({ state: 'not-saved', own: true }));
  for (const word of [typed.text, typed.when, typed.media]) expect(message).toContain(word);
});

test('a refusal names what each problem is about, as it is, and how many more there are', () => {
  const problems = Array.from({ length: 8 }, (_, index) => ({
    field: `<Field${index}>`,
    loc: [],
    message: 'is <!here>',
    type: '',
  }));
  const message = said(
    words.message({ state: 'refused', own: true, submission, reason: { kind: 'invalid', problems } }),
  );
  expect(message).toContain('{"type":"plain_text","text":"• <Field0>: is <!here>');
  expect(message).toContain('…and 3 more.');
});

test('a refusal that names nothing is still a sentence', () => {
  const reason = { kind: 'invalid' as const, problems: [] };
  const message = said(words.message({ state: 'refused', own: true, submission, reason }));
  expect(message).toContain('The service did not accept this. Your text is below."');
});

test('a form that comes back counts what it does not list, however long the messages', () => {
  const problems = Array.from({ length: 100 }, (_, index) => ({
    field: `F${index}`,
    loc: [],
    message: '<&>'.repeat(300),
    type: '',
  }));
  const view = words.again({ kind: 'invalid', problems }, 'as it stands');
  expect(JSON.stringify(view)).toContain('…and 95 more.');
});

test.each(['sending', 'unknown', 'refused'] as const)(
  'a view of a post that is %s says for when it is',
  (state) => {
    const moment = { instant: '2026-12-01T09:00:00Z', zone: 'Europe/Lisbon' };
    const content = { typed, project, moment };
    const reason = { kind: 'refused' as const, status: 403 };
    const end = { own: true, submission: { ...submission, content } };
    const shown =
      state === 'sending'
        ? words.sending(content)
        : words.message(state === 'unknown' ? { ...end, state } : { ...end, state, reason });
    expect(JSON.stringify(shown)).toContain('Tue 1 Dec, 09:00 (Lisbon)');
  },
);
