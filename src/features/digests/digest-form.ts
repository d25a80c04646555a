import type { KnownBlock } from '@slack/types';
import type { SubmissionCall } from '../../app/call.ts';
import { toStoredSections } from '../../digests/content/sections.ts';
import { type DigestSettings, isSharedWith } from '../../digests/digest.ts';
import type { FormValues } from '../../forms/field.ts';
import type { CheckResult, Form, FormState } from '../../forms/form.ts';
import { outsiderNames } from '../../slack/audience.ts';
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
type DigestFormState = FormState<Fields, DigestFacts>;
/** The settings that the form decides. The workspace and the author come from the call. */
type Content = Omit<DigestSettings, 'workspace' | 'channel'> & { channel: string | 'me'; id?: string };

/** Creates or edits a digest: its channel, projects, schedule and content. */
export const digestForm: Form<Fields, DigestFacts, Content> = {
  name: 'digest',
  version: 2,
  title: TITLE,
  submitLabel: 'Save',
  command: '/upnext digest',
  fields,
  contextLoader: factsOfDigest,
  hideableFields: ['channel', 'shared', 'projects', 'mine', 'days', 'day'],
  findHiddenFields: (state) => [
    ...(isForMe(state) ? (['channel', 'projects'] as const) : (['mine'] as const)),
    ...(isShared(state) ? [] : (['shared'] as const)),
    state.values.kind === 'weekly' ? 'days' : 'day',
  ],
  async refreshContext({ values, formContext }, call) {
    if (values.where === 'me' || values.channel === '') return formContext;
    const { namedOutsiders: _, ...rest } = formContext;
    const shown =
      formContext.conversation?.channel === values.channel ? formContext.conversation.audience : undefined;
    const conversation = await readConversation(call, values.channel, formContext.conversation);
    return { ...rest, conversation, ...(shown?.isShared && { namedOutsiders: shown.outsiders }) };
  },
  deriveChanges({ values, formContext }) {
    const last = restoreHidden(values, formContext.last);
    const { channel, projects: chosen, days, day } = last;
    return {
      values: { channel, projects: chosen, mine: chosen, days, day },
      formContext: { ...formContext, last },
    };
  },
  renderAboveFields: audienceBlocks,
  renderBelowFields: (state) => {
    const trouble =
      isForMe(state) || !state.formContext.conversation
        ? undefined
        : channelFaultText(state.formContext.conversation);
    return trouble === undefined ? {} : { channel: [context(plain(`⚠️ ${trouble}`))] };
  },
  check,
  // The tick doesn't cover new outsiders: the form names them first.
  findOutdatedField: (state) => (isShared(state) && !areOutsidersNamed(state) ? 'shared' : undefined),
  destination: { answer: save },
};

function isForMe({ values }: Pick<DigestFormState, 'values'>): boolean {
  return values.where === 'me';
}

function isShared(state: DigestFormState): boolean {
  return !isForMe(state) && state.formContext.conversation?.audience?.isShared === true;
}

/** Whether the form named all outsiders in the channel when the user ticked the box. */
function areOutsidersNamed({ formContext: { namedOutsiders, conversation } }: DigestFormState): boolean {
  return isSharedWith({ sharedWith: namedOutsiders ?? null }, conversation?.audience?.outsiders ?? []);
}

/** Names the future readers of the digest. */
function audienceBlocks(state: DigestFormState): KnownBlock[] {
  if (isForMe(state)) return [context('You alone will see it, here in Slack.')];
  const all = 'Every member of the channel will see the plans of these projects.';
  const readers = state.formContext.conversation?.audience;
  return readers?.isShared
    ? [
        section(
          `⚠️ *The channel is shared with ${escapeText(outsiderNames(readers))}.* ${all} People there are members too.`,
        ),
      ]
    : [context(all)];
}

function check(state: DigestFormState): CheckResult<Fields, Content> {
  const { values, formContext } = state;
  const time = parseTime(values.time, formContext.actorLocale);
  const days = (values.kind === 'weekly' ? [values.day] : values.days).map(Number).toSorted((a, b) => a - b);
  const errors: Partial<Record<keyof Fields, string>> = {
    ...whereFaults(state),
    ...(days.length === 0 && { days: 'Choose at least one day.' }),
    ...(time.kind === 'fault' && { time: time.fault }),
  };
  if (time.kind === 'fault' || Object.keys(errors).length > 0) return { kind: 'invalid', errors };
  const { hour, minute } = time;
  const content: Content = {
    ...(formContext.editing && { id: formContext.editing.id }),
    channel: isForMe(state) ? 'me' : values.channel,
    kind: values.kind === 'weekly' ? 'weekly' : 'daily',
    projects: chosenProjects(values, formContext),
    days,
    time: { hour, minute },
    zone: values.zone,
    sections: toStoredSections(values.sections),
    silentWhenEmpty: values.quiet.includes(QUIET),
    sharedWith: isShared(state) ? (formContext.conversation?.audience?.outsiders ?? []) : null,
  };
  return { kind: 'valid', contents: [content] };
}

function whereFaults(state: DigestFormState): Partial<Record<keyof Fields, string>> {
  const { values, formContext } = state;
  const { editing, conversation } = formContext;
  const isMine = isForMe(state);
  const trouble =
    !isMine && conversation?.channel === values.channel ? channelFaultText(conversation) : undefined;
  const canChoose = formContext.projects.length > 1 || formContext.hasMore;
  const hasNoProject = isMine
    ? values.mine.length === 0
    : values.projects.length === 0 && conversation?.bound.length === 0;
  return {
    ...(editing && editing.isPersonal !== isMine && { where: 'Make a new digest for that: this one stays.' }),
    ...(!isMine && values.channel === '' && { channel: 'Choose a channel.' }),
    ...(trouble !== undefined && { channel: trouble }),
    ...(isShared(state) &&
      !(values.shared.includes(SHARED) && areOutsidersNamed(state)) && {
        shared: 'Tick this if they may; else choose another channel.',
      }),
    ...(hasNoProject && canChoose && isMine && { mine: 'Choose a project.' }),
    ...(hasNoProject &&
      canChoose &&
      !isMine && { projects: 'Choose a project: the channel is about none yet.' }),
  };
}

/** The chosen projects. Without a choice: the projects of the channel, or the only project for a personal digest. */
function chosenProjects(values: FormValues<Fields>, formContext: DigestFacts): DigestSettings['projects'] {
  const chosen = values.where === 'me' ? values.mine : values.projects;
  if (chosen.length > 0) return chosen.map(({ id }) => id);
  return values.where === 'me' ? formContext.projects.map(({ id }) => id) : 'channel';
}

const CHANGED = {
  where:
    'Nothing was saved: somebody changed or removed this digest just now. Type /upnext digest list to see it.',
};

async function save(
  call: SubmissionCall,
  { channel, ...content }: Content,
  { formContext, now }: DigestFormState,
  { showErrors }: { showErrors(errors: { where?: string; channel?: string }): Promise<void> },
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
  if (settings.id !== undefined && !stored) return showErrors(removed);
  if (stored) await permitManaging(call, stored, 'digests change');
  await permitSaving(call, settings, conversation);
  if (conversation) {
    const trouble = await authorFaultText(call, conversation);
    if (trouble !== undefined) return showErrors({ channel: trouble });
  }
  const saved = await call.context.digests.save({ ...settings, ...(stored && { before: stored }) }, user);
  if (!saved) return showErrors(stored ? CHANGED : removed);
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
