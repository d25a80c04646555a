import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { nameById } from '../../api/project-ids.ts';
import { createForm } from '../../forms/create-form.ts';
import { buildActionId } from '../../forms/field.ts';
import {
  type ButtonHandler,
  type CheckResult,
  type Form,
  type FormState,
  invalid,
  valid,
} from '../../forms/form.ts';
import type { ActionCall, Call } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { createList, createProjectMessage } from '../../lists/list.ts';
import {
  findPolicy,
  holdsPosts,
  MAX_REVIEW_STEPS,
  type ProjectPolicy,
} from '../../preferences/project-policy.ts';
import type { StepPeople } from '../../preferences/tables.ts';
import { mapLimited, within } from '../../promises.ts';
import { actions, button, clipLine, context, escapeText, section } from '../../slack/blocks.ts';
import { addBlocks } from '../../slack/message.ts';
import { joinNames } from '../../slack/name.ts';
import { parseBlackouts, parsePostingTimes } from './calendar-fields.ts';
import {
  fields,
  GROUPS,
  HIDEABLE_FIELDS,
  type HideableField,
  OVERRIDE_OPTION,
  type PolicyContent,
  type PolicyContext,
  type PolicyFields,
  parseLead,
  policyContextLoader,
  readSteps,
  SAME_PERSON_OPTION,
  STEP_FIELDS,
  STEP_NUMBERS,
} from './policy-fields.ts';
import {
  CHANGE_ACTION,
  HELD_POSTS_VIEW,
  HOLDING_NOTES,
  renderApprovers,
  renderPolicyMessage,
  renderProjectName,
  renderSettings,
  renderStepName,
  TITLE,
} from './policy-text.ts';
import { saveAfterDecision, savePolicyFromForm } from './save-policy.ts';

const FORM_NAME = 'policy';
// The names of the buttons inside the form.
const ADD_STEP = 'add-step';
const REMOVE_STEP = 'remove-step';
const CHANGE_STEP = 'change-step';

const policyForm: Form<PolicyFields, PolicyContext, PolicyContent> = {
  name: FORM_NAME,
  version: 6,
  noun: 'form for a project’s policy',
  title: TITLE,
  submitLabel: 'Save',
  command: '/upnext policy',
  fields,
  contextLoader: policyContextLoader,
  hideableFields: HIDEABLE_FIELDS,
  findHiddenFields(state): HideableField[] {
    const { openFields = [] } = state.formContext;
    const closedGroups = GROUPS.flatMap(({ names }) => names.filter((name) => !openFields.includes(name)));
    const closedSteps = STEP_NUMBERS.filter((step) => !isStepOpen(state, step));
    return [
      ...findNeedlessFields(state),
      ...closedSteps.flatMap((step) => STEP_FIELDS[step]),
      ...closedGroups,
    ];
  },
  showFields: (formContext, names) => openFields(formContext, names),
  keepsHiddenValues: true,
  renderAboveFields: ({ formContext: { project } }) => [
    context(`For *${renderProjectName(project)}*, everybody’s posts`),
  ],
  renderBelowFields: (state) => {
    const { blocks, last } = renderSteps(state);
    return {
      holding: renderHoldingNotes(state),
      ...blocks,
      [last]: [...(blocks[last] ?? []), ...renderGroupButtons(state)],
    };
  },
  // The form has no field for its project, so the permission in the project is checked here.
  async refreshContext({ formContext }, call) {
    await call.requireFormPermission(formContext.project.id);
    return formContext;
  },
  // A post can be reviewed only while Upnext keeps it.
  deriveChanges: ({ values }) => (isReviewed(values) ? { values: { holding: 'hold' } } : {}),
  buttonHandlers: {
    [CHANGE_STEP]: (value, { formContext }) => ({
      formContext: openFields(formContext, STEP_FIELDS[toStepNumber(Number(value))]),
    }),
    ...Object.fromEntries(
      GROUPS.map(({ button: name, names }): [string, ButtonHandler<PolicyFields, PolicyContext>] => [
        name,
        (_value, { formContext }) => ({ formContext: openFields(formContext, names) }),
      ]),
    ),
    [ADD_STEP]: (_value, { formContext }) => ({
      formContext: { ...formContext, stepCount: toStepNumber(formContext.stepCount + 1) },
    }),
    [REMOVE_STEP]: (_value, { formContext }) => ({
      formContext: { ...formContext, stepCount: toStepNumber(formContext.stepCount - 1) },
    }),
  },
  check: checkPolicy,
  onSubmit: { respond: savePolicyFromForm },
};

function openFields(formContext: PolicyContext, names: readonly string[]): PolicyContext {
  return { ...formContext, openFields: [...new Set([...(formContext.openFields ?? []), ...names])] };
}

/** Finds the fields that mean nothing with the chosen values. */
function findNeedlessFields({ values, formContext: { stepCount, isOwner } }: PolicyState): HideableField[] {
  const isHeld = values.holding === 'hold';
  const shownSteps = isReviewed(values) ? stepCount : 0;
  return [
    ...(isHeld ? [] : (['lead', 'postingTimes'] as const)),
    ...STEP_NUMBERS.filter((step) => step > shownSteps).flatMap((step) => STEP_FIELDS[step]),
    ...(isReviewed(values) ? [] : (['seriesReview', 'standIns'] as const)),
    ...(shownSteps > 1 ? [] : (['stepPeople'] as const)),
    ...(isHeld || isReviewed(values) ? [] : (['channel'] as const)),
    ...(isOwner && values.review === 'required' ? [] : (['override'] as const)),
  ];
}

/** Whether the form shows a step's fields. Of another step it shows a line with [Change]. */
function isStepOpen({ values, formContext }: PolicyState, step: (typeof STEP_NUMBERS)[number]): boolean {
  const hasApprovers = readSteps(values, step).at(-1)?.approvers.length !== 0;
  return !hasApprovers || STEP_FIELDS[step].some((name) => formContext.openFields?.includes(name));
}

/** Renders the closed steps and the buttons for steps, each below the field that stands before it. `last`: the last such field. */
function renderSteps(state: PolicyState) {
  const { values, formContext } = state;
  const blocks: Partial<Record<keyof PolicyFields, KnownBlock[]>> = {};
  let last: keyof PolicyFields = 'review';
  if (!isReviewed(values)) return { blocks, last };
  const { stepCount } = formContext;
  const add = (block: KnownBlock) => {
    blocks[last] = [...(blocks[last] ?? []), block];
  };
  for (const [index, step] of readSteps(values, stepCount).entries()) {
    const number = toStepNumber(index + 1);
    if (isStepOpen(state, number)) [, , , last] = STEP_FIELDS[number];
    else
      add({
        ...section(`*${renderStepName(index, stepCount)}*\n${renderApprovers(step)}`),
        accessory: button('Change', buildActionId(FORM_NAME, CHANGE_STEP), String(number)),
      });
  }
  for (const block of renderStepButtons(state)) add(block);
  return { blocks, last: stepCount > 1 ? ('stepPeople' as const) : last };
}

/** The settings that the form shows as fields only after a press. */
const GROUPED_SETTINGS = [
  ...(['seriesReview', 'standIns', 'ownerOverride', 'channel'] as const),
  ...(['xAccount', 'guests', 'postingTimes', 'blackouts'] as const),
];

/** Renders what is set in fields that the form doesn't show, and the buttons that show them. */
function renderGroupButtons(state: PolicyState): KnownBlock[] {
  const { storedPolicy, openFields: open = [] } = state.formContext;
  const needless = findNeedlessFields(state);
  const buttons = GROUPS.flatMap(({ button: action, label, names }) =>
    names.some((name) => !needless.some((other) => other === name) && !open.includes(name))
      ? [button(label, buildActionId(FORM_NAME, action))]
      : [],
  );
  const lines = renderSettings(
    storedPolicy,
    GROUPED_SETTINGS.filter((name) => !open.includes(name)),
  );
  return [
    ...(lines.length === 0 ? [] : [context(lines.join('\n'))]),
    ...(buttons.length === 0 ? [] : [actions(...buttons)]),
  ];
}

function toStepNumber(count: number): (typeof STEP_NUMBERS)[number] {
  return STEP_NUMBERS.find((step) => step >= count) ?? MAX_REVIEW_STEPS;
}

function isReviewed({ review }: Pick<PolicyState['values'], 'review'>): boolean {
  return review === 'optional' || review === 'required';
}

/** Says what managers have to know before they choose to hold posts. Later, `/upnext policy` says it. */
function renderHoldingNotes({ values, formContext: { storedPolicy } }: PolicyState): KnownBlock[] {
  if (values.holding !== 'hold') return [];
  const notes = [
    ...(isReviewed(values) ? ['With reviews, Upnext always keeps posts.'] : []),
    ...(holdsPosts(storedPolicy) ? [] : HOLDING_NOTES),
  ];
  return notes.length === 0 ? [] : [context(...notes)];
}

/** Renders [Add a step] and [Remove step 2] below the last step. */
function renderStepButtons({ values, formContext: { stepCount } }: PolicyState): KnownBlock[] {
  if (!isReviewed(values)) return [];
  return [
    actions(
      ...(stepCount < MAX_REVIEW_STEPS ? [button('Add a step', buildActionId(FORM_NAME, ADD_STEP))] : []),
      ...(stepCount > 1 ? [button(`Remove step ${stepCount}`, buildActionId(FORM_NAME, REMOVE_STEP))] : []),
    ),
  ];
}

function checkPolicy({ values, formContext, now }: PolicyState): CheckResult<PolicyFields, PolicyContent> {
  const { holding, review, standIns, channel } = values;
  if (holding === '' || review === '') return invalid({});
  const { zone, actorLocale: locale, dateOrder } = formContext;
  const reader = { now, zone, locale, dateOrder };
  const lead = holding === 'hold' ? parseLead(values.lead, reader.locale) : undefined;
  // The times of a project that sends its posts right away wait until it holds posts again.
  const postingTimes = holding === 'hold' ? parsePostingTimes(values.postingTimes, reader) : undefined;
  const blackouts = parseBlackouts(values.blackouts, reader);
  const steps = readSteps(values, formContext.stepCount);
  const emptyIndex = review === 'off' ? -1 : steps.findIndex(({ approvers }) => approvers.length === 0);
  const emptyStep = STEP_NUMBERS[emptyIndex];
  const errors: Partial<Record<keyof PolicyFields, string>> = {
    ...(isReviewed(values) &&
      holding !== 'hold' && { holding: 'Reviews need Upnext to keep posts. Choose “Keep them”.' }),
    ...(lead?.kind === 'fault' && { lead: lead.fault }),
    ...(postingTimes?.kind === 'fault' && { postingTimes: postingTimes.fault }),
    ...(blackouts.kind === 'fault' && { blackouts: blackouts.fault }),
    ...(emptyStep !== undefined && {
      [`people${emptyStep}`]:
        emptyStep === 1 ? 'Choose who approves.' : 'Choose who approves, or remove this step.',
    }),
  };
  if (Object.keys(errors).length > 0) return invalid(errors);
  // Posts that are in review already still need their approvers.
  const stepPeople: StepPeople = values.stepPeople.includes(SAME_PERSON_OPTION) ? 'any' : 'different';
  const approvers =
    review === 'off' ? formContext.storedPolicy : { reviewSteps: steps, standIns, stepPeople };
  const policy: ProjectPolicy = {
    leadMinutes: lead?.kind === 'lead' ? lead.minutes : undefined,
    review,
    seriesReview: values.seriesReview === 'once' ? 'once' : 'each',
    reviewSteps: approvers.reviewSteps,
    stepPeople: approvers.stepPeople,
    standIns: approvers.standIns,
    channel: channel === '' ? undefined : channel,
    xAccount: values.xAccount === 'paid' ? 'paid' : 'free',
    guests: values.guests === 'kept-out' ? 'kept-out' : 'allowed',
    postingTimes:
      postingTimes?.kind === 'values' ? postingTimes.values : formContext.storedPolicy.postingTimes,
    blackouts: blackouts.kind === 'values' ? blackouts.values : [],
    // Set when the form is saved, because Slack is asked first who can approve.
    ownerOverride: undefined,
  };
  const isOverridden =
    formContext.isOwner && review === 'required' && values.override.includes(OVERRIDE_OPTION);
  return valid({ policy, isOverridden });
}

const COMMAND = '/upnext policy';

const form = createForm(policyForm);

const list = createList({
  prefix: 'policy',
  deed: 'open the policy of a project',
  role: 'viewer',
  buttons: ['show'],
  choices: ['project'],
  state: z.object({ project: z.string().optional(), words: z.string() }),
  start: (words) => ({ words }),
  createMessage: (call, state) =>
    createProjectMessage(
      call,
      state,
      { command: COMMAND, noun: 'policy', prefix: 'policy', button: 'show', takesOnlyProject: true },
      async (project, words) => {
        const key = { workspace: call.actor.workspace, project: project.id };
        const current = await findPolicy(call.context.db, key);
        const canChange = call.may('manager', project.id);
        const policyMessage = renderPolicyMessage(project, current, { canChange });
        const notes = await describeLostApprovers(call, current);
        const message =
          notes.length === 0 ? policyMessage : addBlocks(policyMessage, context(notes.join('\n')));
        // The rest of "blackout days of Harbour Coffee".
        if (/^(?:days|times)?\s*(?:for|of)?$/i.test(words)) return message;
        const note = `I didn’t read “${clipLine(words)}”. Type \`${COMMAND}\` and the name of a project.`;
        return addBlocks(
          { ...message, text: `${escapeText(note)} ${message.text}` },
          context(escapeText(note)),
        );
      },
    ),
});

/** Slack allows about 100 requests for people a minute, and the policy doesn't wait for all. */
const MAX_LOOKUP_MS = 2_000;
const MAX_NAMED_PEOPLE = 10;

/** Names the approvers who have left, or became guests (mrkdwn). Of the others it may only be unknown. */
async function describeLostApprovers(
  { context: appContext, actor, client }: Call,
  { reviewSteps, standIns, review }: ProjectPolicy,
): Promise<string[]> {
  const approvers = reviewSteps.flatMap((step) => step.approvers);
  const named = approvers.flatMap((approver) => (approver.kind === 'person' ? [approver.id] : []));
  const people = review === 'off' ? [] : [...new Set([...named, ...standIns])];
  const found = new Map<string, boolean>();
  const end = performance.now() + MAX_LOOKUP_MS;
  const lookups = mapLimited(people, async (user) => {
    if (performance.now() >= end) return;
    const key = { workspace: actor.workspace, user };
    const access = await appContext.access.findAccess(key, client, 'nothing');
    const isChecked = access.kind !== 'outsider' || access.reason !== 'not-checked';
    if (isChecked) found.set(user, access.kind === 'outsider');
  });
  await within(MAX_LOOKUP_MS, lookups);
  const lost = people.filter((user) => found.get(user)).map((user) => `<@${user}>`);
  const names = joinNames(lost, MAX_NAMED_PEOPLE);
  return [
    ...(lost.length > 0
      ? [`:warning: No longer full members of this workspace, so they can’t approve: ${names}`]
      : []),
    ...(found.size < people.length ? ['I couldn’t check some approvers just now. They may have left.'] : []),
  ];
}

/** `/upnext policy` shows whether a project's posts are held and reviewed. Managers change it in a form. */
export const policy: Feature = {
  name: 'policy',
  commands: [
    {
      name: 'policy',
      aliases: [
        ...['policies', 'review', 'approval', 'approvals', 'hold', 'holding'],
        ...['slots', 'posting-times', 'blackout', 'blackouts'],
      ],
      summary: 'Until when a project’s posts can be edited, who reviews them, its slots and blackout days',
      usage: '[project]',
      examples: {
        [COMMAND]: 'See the policy of this channel’s project, and change it.',
        [`${COMMAND} Harbour Coffee`]: 'See the policy of another project.',
      },
      button: 'Policy',
      ...list.command,
    },
  ],
  role: 'manager',
  ...form,
  open: {
    ...form.open,
    run: (call, { project: id }) =>
      form.openForm(call, id === undefined ? {} : { prefill: { project: nameById(id) } }),
  },
  views: {
    ...form.views,
    [HELD_POSTS_VIEW]: { deed: 'choose what becomes of waiting posts', run: saveAfterDecision },
  },
  actions: {
    ...form.actions,
    ...list.actions,
    [CHANGE_ACTION]: { deed: 'open the form for a project’s policy', run: openForm },
  },
};

/** Handles [Change policy]: opens the form for the project in the button's value. */
async function openForm(call: ActionCall): Promise<void> {
  const id = call.action.value ?? '';
  await call.permit('manager', id, 'policy set');
  await form.openForm(call, { prefill: { project: nameById(id) } });
}

type PolicyState = FormState<PolicyFields, PolicyContext>;
