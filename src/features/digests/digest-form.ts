import type { KnownBlock } from '@slack/types';
import type { SubmissionCall } from '../../app/call.ts';
import { toStoredSections } from '../../digests/content/sections.ts';
import { type DigestSettings, isSharedWith } from '../../digests/digest.ts';
import type { Typed } from '../../forms/field.ts';
import type { Checked, Form, State } from '../../forms/form.ts';
import { renderOutsiderNames } from '../../slack/audience.ts';
import { context, plain, section } from '../../slack/blocks.ts';
import { escapeText } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { authorFaultText, channelFaultText, readConversation } from './conversation.ts';
import {
  type DigestFacts,
  factsOfDigest,
  findVisibleDigest,
  QUIET,
  restoreHidden,
  SHARED,
} from './digest-facts.ts';
import { fields } from './digest-fields.ts';
import { savedText } from './digest-text.ts';
import { parseTime } from './parse-digest-command.ts';
import { permitManaging, permitSaving } from './permit-digest.ts';

const TITLE = 'Digest';
type Fields = typeof fields;
type FormState = State<Fields, DigestFacts>;
/** The settings that the form decides. The workspace and the author come from the call. */
type Content = Omit<DigestSettings, 'workspace' | 'channel'> & { channel: string | 'me'; id?: string };

/** Creates or edits a digest: its channel, projects, schedule and content. */
export const digestForm: Form<Fields, DigestFacts, Content> = {
  name: 'digest',
  version: 2,
  title: TITLE,
  send: 'Save',
  command: '/upnext digest',
  fields,
  contextLoader: factsOfDigest,
  mayHide: ['channel', 'shared', 'projects', 'mine', 'days', 'day'],
  hidden: (state) => [
    ...(isForMe(state) ? (['channel', 'projects'] as const) : (['mine'] as const)),
    ...(isShared(state) ? [] : (['shared'] as const)),
    state.typed.kind === 'weekly' ? 'days' : 'day',
  ],
  async refreshContext({ typed, formContext }, call) {
    if (typed.where === 'me' || typed.channel === '') return formContext;
    const { namedOutsiders: _, ...rest } = formContext;
    const shown =
      formContext.conversation?.channel === typed.channel ? formContext.conversation.audience : undefined;
    const conversation = await readConversation(call, typed.channel, formContext.conversation);
    return { ...rest, conversation, ...(shown?.isShared && { namedOutsiders: shown.outsiders }) };
  },
  deriveChanges({ typed, formContext }) {
    const last = restoreHidden(typed, formContext.last);
    const { channel, projects: chosen, days, day } = last;
    return {
      typed: { channel, projects: chosen, mine: chosen, days, day },
      formContext: { ...formContext, last },
    };
  },
  head: audienceBlocks,
  under: (state) => {
    const trouble =
      isForMe(state) || !state.formContext.conversation
        ? undefined
        : channelFaultText(state.formContext.conversation);
    return trouble === undefined ? {} : { channel: [context(plain(`⚠️ ${trouble}`))] };
  },
  check,
  // The tick doesn't cover new outsiders: the form names them first.
  outdatedField: (state) => (isShared(state) && !areOutsidersNamed(state) ? 'shared' : undefined),
  destination: { answer: save },
};

function isForMe({ typed }: Pick<FormState, 'typed'>): boolean {
  return typed.where === 'me';
}

function isShared(state: FormState): boolean {
  return !isForMe(state) && state.formContext.conversation?.audience?.isShared === true;
}

/** Whether the form named all outsiders in the channel when the user ticked the box. */
function areOutsidersNamed({ formContext: { namedOutsiders, conversation } }: FormState): boolean {
  return isSharedWith({ sharedWith: namedOutsiders ?? null }, conversation?.audience?.outsiders ?? []);
}

/** Names the future readers of the digest. */
function audienceBlocks(state: FormState): KnownBlock[] {
  if (isForMe(state)) return [context('You alone will see it, here in Slack.')];
  const all = 'Every member of the channel will see the plans of these projects.';
  const readers = state.formContext.conversation?.audience;
  return readers?.isShared
    ? [
        section(
          `⚠️ *The channel is shared with ${escapeText(renderOutsiderNames(readers))}.* ${all} People there are members too.`,
        ),
      ]
    : [context(all)];
}

function check(state: FormState): Checked<Fields, Content> {
  const { typed, formContext } = state;
  const time = parseTime(typed.time, formContext.readerLocale);
  const days = (typed.kind === 'weekly' ? [typed.day] : typed.days).map(Number).toSorted((a, b) => a - b);
  const errors: Partial<Record<keyof Fields, string>> = {
    ...whereFaults(state),
    ...(days.length === 0 && { days: 'Choose at least one day.' }),
    ...(time.kind === 'fault' && { time: time.fault }),
  };
  if (time.kind === 'fault' || Object.keys(errors).length > 0) return { kind: 'faulty', errors };
  const { hour, minute } = time;
  const content: Content = {
    ...(formContext.editing && { id: formContext.editing.id }),
    channel: isForMe(state) ? 'me' : typed.channel,
    kind: typed.kind === 'weekly' ? 'weekly' : 'daily',
    projects: chosenProjects(typed, formContext),
    days,
    time: { hour, minute },
    zone: typed.zone,
    sections: toStoredSections(typed.sections),
    silentWhenEmpty: typed.quiet.includes(QUIET),
    sharedWith: isShared(state) ? (formContext.conversation?.audience?.outsiders ?? []) : null,
  };
  return { kind: 'good', contents: [content] };
}

function whereFaults(state: FormState): Partial<Record<keyof Fields, string>> {
  const { typed, formContext } = state;
  const { editing, conversation } = formContext;
  const isMine = isForMe(state);
  const trouble =
    !isMine && conversation?.channel === typed.channel ? channelFaultText(conversation) : undefined;
  const canChoose = formContext.projects.length > 1 || formContext.more;
  const hasNoProject = isMine
    ? typed.mine.length === 0
    : typed.projects.length === 0 && conversation?.bound.length === 0;
  return {
    ...(editing && editing.isPersonal !== isMine && { where: 'Make a new digest for that: this one stays.' }),
    ...(!isMine && typed.channel === '' && { channel: 'Choose a channel.' }),
    ...(trouble !== undefined && { channel: trouble }),
    ...(isShared(state) &&
      !(typed.shared.includes(SHARED) && areOutsidersNamed(state)) && {
        shared: 'Tick this if they may; else choose another channel.',
      }),
    ...(hasNoProject && canChoose && isMine && { mine: 'Choose a project.' }),
    ...(hasNoProject &&
      canChoose &&
      !isMine && { projects: 'Choose a project: the channel is about none yet.' }),
  };
}

/** The chosen projects. Without a choice: the projects of the channel, or the only project for a personal digest. */
function chosenProjects(typed: Typed<Fields>, formContext: DigestFacts): DigestSettings['projects'] {
  const chosen = typed.where === 'me' ? typed.mine : typed.projects;
  if (chosen.length > 0) return chosen.map(({ id }) => id);
  return typed.where === 'me' ? formContext.projects.map(({ id }) => id) : 'channel';
}

const CHANGED = {
  where:
    'Nothing was saved: somebody changed or removed this digest just now. Type /upnext digest list to see it.',
};

async function save(
  call: SubmissionCall,
  { channel, ...content }: Content,
  { formContext, now }: FormState,
  { again }: { again(errors: { where?: string; channel?: string }): Promise<void> },
): Promise<void> {
  const { workspace, user } = call.actor;
  // The form looked the channel up when it was submitted, so this is current.
  const conversation = channel === 'me' ? undefined : formContext.conversation;
  const settings = {
    ...content,
    workspace,
    channel: channel === 'me' ? user : channel,
  };
  const removed = { where: 'This digest was removed meanwhile. Type /upnext digest for a new one.' };
  // Its projects may have changed since the form was opened.
  const stored = settings.id === undefined ? undefined : await findVisibleDigest(call, settings.id);
  if (settings.id !== undefined && !stored) return again(removed);
  if (stored) await permitManaging(call, stored, 'digests change');
  await permitSaving(call, settings, conversation);
  if (conversation) {
    const trouble = await authorFaultText(call, conversation);
    if (trouble !== undefined) return again({ channel: trouble });
  }
  const saved = await call.context.digests.save({ ...settings, ...(stored && { before: stored }) }, user);
  if (!saved) return again(stored ? CHANGED : removed);
  await call.answer({
    view: {
      type: 'modal',
      title: plain(TITLE, LIMITS.viewTitle),
      close: plain('Close', LIMITS.viewTitle),
      blocks: [
        section(savedText(saved, formContext.projects, now)),
        context('`/upnext digest` lists, changes, pauses and deletes them.'),
      ],
    },
  });
}
