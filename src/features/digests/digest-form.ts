import type { KnownBlock } from '@slack/types';
import {
  type DigestSettings,
  isSharedWith,
  SECTION_NAMES,
  SECTIONS,
  selectSections,
} from '../../digests/digest.ts';
import { listDigestProjects } from '../../digests/sql/digests.ts';
import {
  findMembershipFault,
  readConversationWithGuests,
  renderChannelFault,
} from '../../forms/conversation.ts';
import { type FormValues, findChosenValue } from '../../forms/field.ts';
import {
  type CheckResult,
  type Form,
  type FormAnswer,
  type FormOrigin,
  type FormState,
  invalid,
  valid,
} from '../../forms/form.ts';
import { checkboxesField, radioField, selectField, zoneField } from '../../forms/inputs/choice.ts';
import { projectsField } from '../../forms/inputs/searched.ts';
import { conversationField } from '../../forms/inputs/slack-choice.ts';
import { textField } from '../../forms/inputs/text.ts';
import type { SubmissionCall } from '../../handlers/call.ts';
import { findGuestFault } from '../../handlers/guests.ts';
import { renderEveryone, renderOutsiderNames } from '../../slack/audience.ts';
import { clipLine, context, escapeText, plain, section } from '../../slack/blocks.ts';
import { buildModal } from '../../slack/message-view.ts';
import { MAX_TIME_LENGTH, parseTime } from './digest-command.ts';
import {
  type DigestFormContext,
  digestContextLoader,
  findNamesake,
  findVisibleDigest,
  isTwin,
  QUIET_OPTION,
  SHARED_OPTION,
} from './digest-form-context.ts';
import { renderSavedDigest } from './digest-messages.ts';
import { recordDigestChange, requireManagePermission, requireSavePermission } from './permit-digest.ts';

const TITLE = 'Digest';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const weekdays = WEEKDAYS.map((name, index) => ({ value: String(index + 1), name }));

// The form checks these two fields itself, because they are required only in some digests.
const unvalidatedChannel = {
  ...conversationField({ label: 'Channel', isLive: true }),
  validate: () => undefined,
};
const unvalidatedDays = {
  ...checkboxesField({ label: 'Days', choices: weekdays }),
  validate: () => undefined,
};

/** The fields of the digest form, in the order in which the form shows them. */
const fields = {
  where: radioField({
    label: 'For',
    isLive: true,
    initial: 'channel',
    choices: [
      { value: 'channel', name: 'A channel' },
      { value: 'me', name: 'Only me, in a direct message' },
    ],
  }),
  channel: unvalidatedChannel,
  shared: checkboxesField({
    label: 'Shared channel',
    optional: true,
    choices: [{ value: SHARED_OPTION, name: 'People outside may see these posts' }],
  }),
  projects: projectsField({
    optional: true,
    hint: 'Leave empty for this channel’s projects (/upnext use).',
    placeholder: 'This channel’s projects',
    hidesInputForSingleProject: true,
  }),
  personalProjects: projectsField({
    hint: 'One or several.',
    placeholder: 'Choose',
    hidesInputForSingleProject: true,
  }),
  kind: radioField({
    label: 'How often',
    isLive: true,
    initial: 'daily',
    choices: [
      { value: 'daily', name: 'Daily: today and what’s next' },
      { value: 'weekly', name: 'Weekly: the week ahead, with a picture' },
    ],
  }),
  days: unvalidatedDays,
  day: selectField({ label: 'Day', choices: weekdays, initial: '1' }),
  time: textField({ label: 'Time', maxLength: MAX_TIME_LENGTH, placeholder: '9:00' }),
  zone: zoneField({ label: 'Time zone' }),
  sections: checkboxesField({
    label: 'Sections',
    choices: SECTIONS.map((section) => ({ value: section, name: SECTION_NAMES[section] })),
  }),
  quiet: checkboxesField({
    label: 'If nothing is scheduled',
    optional: true,
    choices: [{ value: QUIET_OPTION, name: 'Send nothing' }],
  }),
};

type Fields = typeof fields;
type DigestFormState = FormState<Fields, DigestFormContext>;

/** The form that creates or edits a digest: its channel, projects, schedule and content. */
export const digestForm: Form<Fields, DigestFormContext, DigestFormContent> = {
  name: 'digest',
  version: 2,
  noun: 'digest form',
  getSubmitRole: (values) => (findChosenValue(values, 'where') === 'me' ? 'viewer' : 'manager'),
  title: TITLE,
  submitLabel: 'Save',
  command: '/upnext digest',
  fields,
  contextLoader: digestContextLoader,
  hideableFields: ['channel', 'shared', 'projects', 'personalProjects', 'days', 'day'],
  keepsHiddenValues: true,
  // The box is about the readers of one channel.
  computeHiddenValues: (hiddenFields) => (hiddenFields.includes('shared') ? { shared: [] } : {}),
  findHiddenFields: (state) => [
    ...(isPersonalDigest(state) ? (['channel', 'projects'] as const) : (['personalProjects'] as const)),
    ...(isChannelShared(state) ? [] : (['shared'] as const)),
    state.values.kind === 'weekly' ? 'days' : 'day',
  ],
  async refreshContext({ values, formContext }, call) {
    if (values.where === 'me' || values.channel === '') return formContext;
    const { shownOrganisationIds: _, ...otherContext } = formContext;
    const previousConversation = formContext.conversation;
    const shownAudience =
      previousConversation?.channel === values.channel ? previousConversation.audience : undefined;
    const conversation = await readConversationWithGuests(call, values.channel, previousConversation);
    return {
      ...otherContext,
      conversation,
      ...(shownAudience?.isShared && { shownOrganisationIds: shownAudience.outsiders }),
    };
  },
  // The two fields for projects have the same value: that of the shown one, or the initial one.
  deriveChanges({ values: { where, ...values }, formContext }) {
    const projects = formContext.shownWhere === 'me' ? values.personalProjects : values.projects;
    return {
      values: { projects, personalProjects: projects },
      formContext: { ...formContext, shownWhere: where },
    };
  },
  renderAboveFields: renderAudience,
  renderBelowFields(state) {
    const { conversation } = state.formContext;
    if (isPersonalDigest(state) || !conversation) return {};
    const channelFault = renderChannelFault(conversation);
    const projectsNote = renderProjectsNote(state.formContext);
    return {
      ...(channelFault !== undefined && { channel: [context(plain(`⚠️ ${channelFault}`))] }),
      ...(projectsNote !== undefined && { projects: [context(plain(projectsNote))] }),
    };
  },
  check: checkDigestForm,
  // The actor agreed only to the outsiders that the form named.
  findFieldWithOutdatedBlocks: (state) =>
    isChannelShared(state) && !areOutsidersNamed(state) ? 'shared' : undefined,
  onSubmit: { respond: saveFromForm },
};

function isPersonalDigest({ values }: Pick<DigestFormState, 'values'>): boolean {
  return values.where === 'me';
}

function isChannelShared(state: DigestFormState): boolean {
  return !isPersonalDigest(state) && state.formContext.conversation?.audience?.isShared === true;
}

/** Whether the form named every organisation that is in the channel now. */
function areOutsidersNamed({
  formContext: { shownOrganisationIds, conversation },
}: DigestFormState): boolean {
  return isSharedWith({ sharedWith: shownOrganisationIds ?? null }, conversation?.audience?.outsiders ?? []);
}

function canChooseProject({ projects, hasMore }: DigestFormContext): boolean {
  return projects.length > 1 || hasMore;
}

/** Says which project the digest of a channel without bound projects is about. Undefined if the channel has some. */
function renderProjectsNote(formContext: DigestFormContext): string | undefined {
  const { conversation } = formContext;
  if (!canChooseProject(formContext) || conversation?.boundProjectIds.length !== 0) return undefined;
  const namesake = findNamesake(formContext);
  return namesake
    ? `This channel is named after ${clipLine(namesake.name)}. Leave this empty for that project.`
    : 'This channel follows no project yet, so choose one.';
}

function renderAudience(state: DigestFormState): KnownBlock[] {
  if (isPersonalDigest(state)) return [context('Only you will see it, here in Slack.')];
  const { conversation, projectsWithoutGuests } = state.formContext;
  const { audience: readers, guests = conversation ? 'unknown' : 'no' } = conversation ?? {};
  const chosen = chooseProjects(state.values, state.formContext);
  const projects = chosen === 'channel' ? (conversation?.boundProjectIds ?? []) : chosen;
  const areKeptOut = projects.some((id) => projectsWithoutGuests.includes(id));
  const membersText = renderEveryone('the channel', 'will see the posts of these projects', {
    ...{ guests, areKeptOut },
  });
  return readers?.isShared
    ? [
        section(
          `⚠️ *The channel is shared with ${escapeText(renderOutsiderNames(readers))}, whose people are members too.* ${membersText}`,
        ),
      ]
    : [context(membersText)];
}

function checkDigestForm(state: DigestFormState): CheckResult<Fields, DigestFormContent> {
  const { values, formContext } = state;
  const time = parseTime(values.time, formContext.actorLocale);
  const days = (values.kind === 'weekly' ? [values.day] : values.days).map(Number).toSorted((a, b) => a - b);
  const errors: Partial<Record<keyof Fields, string>> = {
    ...findDestinationFaults(state),
    ...(days.length === 0 && { days: 'Choose at least one day.' }),
    ...(time.kind === 'fault' && { time: time.fault }),
  };
  if (time.kind === 'fault' || Object.keys(errors).length > 0) return invalid(errors);
  const { hour, minute } = time;
  const content: DigestFormContent = {
    ...(formContext.editedDigest && { id: formContext.editedDigest.id }),
    channel: isPersonalDigest(state) ? 'me' : values.channel,
    kind: values.kind === 'weekly' ? 'weekly' : 'daily',
    projects: chooseProjects(values, formContext),
    days,
    time: { hour, minute },
    zone: values.zone,
    sections: selectSections(values.sections),
    isSilentWhenEmpty: values.quiet.includes(QUIET_OPTION),
    sharedWith: isChannelShared(state) ? (formContext.conversation?.audience?.outsiders ?? []) : null,
  };
  return valid(content);
}

function findDestinationFaults(state: DigestFormState): Partial<Record<keyof Fields, string>> {
  const { values, formContext } = state;
  const { editedDigest, conversation } = formContext;
  const isPersonal = isPersonalDigest(state);
  const channelFault =
    !isPersonal && conversation?.channel === values.channel ? renderChannelFault(conversation) : undefined;
  const isProjectMissing = isPersonal
    ? values.personalProjects.length === 0
    : values.projects.length === 0 &&
      conversation?.boundProjectIds.length === 0 &&
      !findNamesake(formContext);
  const hasNoProject = isProjectMissing && canChooseProject(formContext);
  return {
    ...(editedDigest &&
      editedDigest.isPersonal !== isPersonal && {
        where: 'You can’t change this here. Create a new digest instead.',
      }),
    ...(!isPersonal && values.channel === '' && { channel: 'Choose a channel.' }),
    ...(channelFault !== undefined && { channel: channelFault }),
    ...(isChannelShared(state) &&
      !(values.shared.includes(SHARED_OPTION) && areOutsidersNamed(state)) && {
        shared: 'Tick this if they may, or choose another channel.',
      }),
    ...(hasNoProject && isPersonal && { personalProjects: 'Choose a project.' }),
    ...(hasNoProject &&
      !isPersonal && { projects: 'Choose a project. This channel doesn’t follow one yet.' }),
  };
}

/**
 * Chooses the projects. Defaults to the channel's projects, then to the one that it is named after, or to the only one
 * that the actor can choose.
 */
function chooseProjects(
  values: FormValues<Fields>,
  formContext: DigestFormContext,
): DigestSettings['projects'] {
  const chosenProjects = values.where === 'me' ? values.personalProjects : values.projects;
  if (chosenProjects.length > 0) return chosenProjects.map(({ id }) => id);
  if (values.where === 'me') return formContext.projects.map(({ id }) => id);
  if (formContext.conversation?.boundProjectIds.length !== 0) return 'channel';
  const [onlyProject] = formContext.projects;
  const project = canChooseProject(formContext) ? findNamesake(formContext) : onlyProject;
  return project ? [project.id] : 'channel';
}

/** The settings from the form, without the workspace. The channel 'me' stands for a personal digest. */
type DigestFormContent = Omit<DigestSettings, 'workspace' | 'channel'> & {
  channel: string | 'me';
  /** The id of the edited digest; absent for a new one. */
  id?: string;
};

const REMOVED_ERRORS = { where: 'This digest was removed. Type /upnext digest for a new one.' };
const TWIN_ERRORS = { where: 'This digest exists already. Type /upnext digest list to see it.' };
const CONFLICT_ERRORS = {
  where:
    'Nothing was saved: somebody changed or removed this digest just now. Type /upnext digest list to see it.',
};

/** Saves a digest from the form, if the actor has the permissions. */
async function saveFromForm(
  call: SubmissionCall,
  { channel, ...content }: DigestFormContent,
  { formContext, now }: { formContext: DigestFormContext; now: Date },
  { formId }: FormOrigin,
): Promise<FormAnswer> {
  const { workspace, user } = call.actor;
  // The form read the channel when it was submitted, so the conversation is current.
  const conversation = channel === 'me' ? undefined : formContext.conversation;
  const settings = { ...content, workspace, channel: channel === 'me' ? user : channel };
  // The digest's projects may have changed since the form was opened. A new digest has the id of its form, so it is
  // found if the form comes again because its answer was lost, perhaps with other settings.
  const storedDigest = await findVisibleDigest(call, settings.id ?? formId);
  if (settings.id !== undefined && !storedDigest) return { errors: REMOVED_ERRORS };
  if (storedDigest) await requireManagePermission(call, storedDigest, 'digests change');
  await requireSavePermission(call, settings, conversation);
  if (conversation) {
    const membershipFault = await findMembershipFault(call, conversation, 'set up a digest there');
    if (membershipFault !== undefined) return { errors: { channel: membershipFault } };
    const projects = await listDigestProjects(call.context.db, settings);
    const guestFault = await findGuestFault(call, settings.channel, projects);
    if (guestFault !== undefined) return { errors: { channel: `${guestFault}. Choose another channel.` } };
  }
  if (await isTwin(call, { ...settings, id: storedDigest?.id ?? formId })) return { errors: TWIN_ERRORS };
  const savedDigest = await call.context.digests.save(
    {
      ...settings,
      requestId: formId,
      ...(storedDigest && { id: storedDigest.id, loadedDigest: storedDigest }),
    },
    user,
  );
  if (!savedDigest) return { errors: storedDigest ? CONFLICT_ERRORS : REMOVED_ERRORS };
  recordDigestChange(call, settings, 'digests save');
  return {
    view: buildModal(TITLE, [
      ...renderSavedDigest(savedDigest, {
        now,
        projects: formContext.projects,
        locale: formContext.actorLocale,
        isNew: settings.id === undefined,
      }).blocks,
      context('`/upnext digest` lists, changes, pauses and deletes them.'),
    ]),
  };
}
