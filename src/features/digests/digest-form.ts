import type { KnownBlock } from '@slack/types';
import { toStoredSections } from '../../digests/content/sections.ts';
import { type DigestSettings, isSharedWith } from '../../digests/digest.ts';
import type { Typed } from '../../forms/field.ts';
import type { Checked, Form, State } from '../../forms/form.ts';
import { renderOutsiderNames } from '../../slack/audience.ts';
import { context, plain, section } from '../../slack/blocks.ts';
import { escapeText } from '../../slack/escape.ts';
import { readConversation, renderChannelFault } from './conversation.ts';
import { fields } from './digest-fields.ts';
import {
  type DigestFormContext,
  digestContextLoader,
  QUIET,
  restoreHidden,
  SHARED,
} from './digest-form-context.ts';
import { parseTime } from './parse-digest-command.ts';
import { type DigestFormContent, saveFromForm, TITLE } from './save-from-form.ts';

type Fields = typeof fields;
type FormState = State<Fields, DigestFormContext>;

/** The form that creates or edits a digest: its channel, projects, schedule and content. */
export const digestForm: Form<Fields, DigestFormContext, DigestFormContent> = {
  name: 'digest',
  version: 2,
  title: TITLE,
  send: 'Save',
  command: '/upnext digest',
  fields,
  contextLoader: digestContextLoader,
  mayHide: ['channel', 'shared', 'projects', 'mine', 'days', 'day'],
  hidden: (state) => [
    ...(isForMe(state) ? (['channel', 'projects'] as const) : (['mine'] as const)),
    ...(isShared(state) ? [] : (['shared'] as const)),
    state.typed.kind === 'weekly' ? 'days' : 'day',
  ],
  async refreshContext({ typed, formContext }, call) {
    if (typed.where === 'me' || typed.channel === '') return formContext;
    const { namedOutsiders: _, ...rest } = formContext;
    const previous = formContext.conversation;
    const shownAudience = previous?.channel === typed.channel ? previous.audience : undefined;
    const conversation = await readConversation(call, typed.channel, previous);
    return {
      ...rest,
      conversation,
      ...(shownAudience?.isShared && { namedOutsiders: shownAudience.outsiders }),
    };
  },
  deriveChanges({ typed, formContext }) {
    const previousValues = restoreHidden(typed, formContext.previousValues);
    const { channel, projects, days, day } = previousValues;
    return {
      typed: { channel, projects, mine: projects, days, day },
      formContext: { ...formContext, previousValues },
    };
  },
  head: renderAudience,
  under: (state) => {
    const trouble =
      isForMe(state) || !state.formContext.conversation
        ? undefined
        : renderChannelFault(state.formContext.conversation);
    return trouble === undefined ? {} : { channel: [context(plain(`⚠️ ${trouble}`))] };
  },
  check,
  // The tick doesn't cover outsiders that the form hasn't named.
  outdatedField: (state) => (isShared(state) && !areOutsidersNamed(state) ? 'shared' : undefined),
  destination: { answer: saveFromForm },
};

function isForMe({ typed }: Pick<FormState, 'typed'>): boolean {
  return typed.where === 'me';
}

function isShared(state: FormState): boolean {
  return !isForMe(state) && state.formContext.conversation?.audience?.isShared === true;
}

/** Whether the form named all outsiders in the channel when the actor ticked the box. */
function areOutsidersNamed({ formContext: { namedOutsiders, conversation } }: FormState): boolean {
  return isSharedWith({ sharedWith: namedOutsiders ?? null }, conversation?.audience?.outsiders ?? []);
}

/** Renders who will read the digest. */
function renderAudience(state: FormState): KnownBlock[] {
  if (isForMe(state)) return [context('You alone will see it, here in Slack.')];
  const membersText = 'Every member of the channel will see the plans of these projects.';
  const readers = state.formContext.conversation?.audience;
  return readers?.isShared
    ? [
        section(
          `⚠️ *The channel is shared with ${escapeText(renderOutsiderNames(readers))}.* ${membersText} People there are members too.`,
        ),
      ]
    : [context(membersText)];
}

function check(state: FormState): Checked<Fields, DigestFormContent> {
  const { typed, formContext } = state;
  const time = parseTime(typed.time, formContext.readerLocale);
  const days = (typed.kind === 'weekly' ? [typed.day] : typed.days).map(Number).toSorted((a, b) => a - b);
  const errors: Partial<Record<keyof Fields, string>> = {
    ...findDestinationFaults(state),
    ...(days.length === 0 && { days: 'Choose at least one day.' }),
    ...(time.kind === 'fault' && { time: time.fault }),
  };
  if (time.kind === 'fault' || Object.keys(errors).length > 0) return { kind: 'faulty', errors };
  const { hour, minute } = time;
  const content: DigestFormContent = {
    ...(formContext.editedDigest && { id: formContext.editedDigest.id }),
    channel: isForMe(state) ? 'me' : typed.channel,
    kind: typed.kind === 'weekly' ? 'weekly' : 'daily',
    projects: chooseProjects(typed, formContext),
    days,
    time: { hour, minute },
    zone: typed.zone,
    sections: toStoredSections(typed.sections),
    isSilentWhenEmpty: typed.quiet.includes(QUIET),
    sharedWith: isShared(state) ? (formContext.conversation?.audience?.outsiders ?? []) : null,
  };
  return { kind: 'good', contents: [content] };
}

function findDestinationFaults(state: FormState): Partial<Record<keyof Fields, string>> {
  const { typed, formContext } = state;
  const { editedDigest, conversation } = formContext;
  const isMine = isForMe(state);
  const trouble =
    !isMine && conversation?.channel === typed.channel ? renderChannelFault(conversation) : undefined;
  const canChoose = formContext.projects.length > 1 || formContext.more;
  const hasNoProject = isMine
    ? typed.mine.length === 0
    : typed.projects.length === 0 && conversation?.boundProjectIds.length === 0;
  return {
    ...(editedDigest &&
      editedDigest.isPersonal !== isMine && { where: 'Make a new digest for that: this one stays.' }),
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

/** Chooses the projects. Defaults to the channel's projects, or to the only project for a personal digest. */
function chooseProjects(typed: Typed<Fields>, formContext: DigestFormContext): DigestSettings['projects'] {
  const chosen = typed.where === 'me' ? typed.mine : typed.projects;
  if (chosen.length > 0) return chosen.map(({ id }) => id);
  return typed.where === 'me' ? formContext.projects.map(({ id }) => id) : 'channel';
}
