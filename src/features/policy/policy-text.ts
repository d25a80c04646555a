import type { ModalView, SectionBlock } from '@slack/types';
import { ROLE_TABLE, ROLES, type Role } from '../../access/access.ts';
import type { Project } from '../../api/projects.ts';
import type { WaitingPosts } from '../../held-posts/policy-change.ts';
import { renderLead } from '../../posts/post-text.ts';
import { type Blackout, renderBlackoutDays } from '../../preferences/posting-times.ts';
import {
  type Approver,
  changeAffects,
  holdsPosts,
  keepsGuestsOut,
  type PolicySetting,
  type ProjectPolicy,
  type ReviewStep,
  requiresReview,
  reviewsSeriesOnce,
} from '../../preferences/project-policy.ts';
import {
  actions,
  button,
  clipLine,
  context,
  escapeText,
  option,
  plain,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { buildModal, buildSubmitModal } from '../../slack/message-view.ts';
import { joinWithAnd, renderCount, renderCounted } from '../../words.ts';
import { renderBlackoutLine, renderPostingTimes } from './calendar-fields.ts';

export const TITLE = 'Policy';

/** The action id of [Change policy]. The button's value is the project's id. */
export const CHANGE_ACTION = 'policy.change';

/** What managers have to know before they choose to hold posts (mrkdwn). */
export const HOLDING_NOTES = [
  'The scheduling service’s own screens don’t show posts that Upnext keeps.',
  'Uninstalling Upnext deletes them, and Slack tells me only afterwards. You can export posts as CSV at any time: see `/upnext posts`.',
] as const;

/** Renders a project's name (mrkdwn). */
export function renderProjectName({ name }: Pick<Project, 'name'>): string {
  return escapeText(clipLine(name));
}

const REVIEW_TEXTS = {
  off: 'Posts aren’t reviewed.',
  optional: 'Authors can send posts for review.',
  required: 'Every post needs a review.',
} as const;

/** Renders a role with all higher roles (plain text): "Managers and above". */
export function renderRoleAndAbove(role: Role): string {
  return `${ROLE_TABLE[role].name}s${role === ROLES.at(-1) ? '' : ' and above'}`;
}

/** What people read about each setting (mrkdwn), one fact per line, in this order. */
const SETTING_LINES: Readonly<Record<PolicySetting, (policy: ProjectPolicy) => readonly string[]>> = {
  leadMinutes: (policy) => [
    policy.leadMinutes === undefined
      ? 'Posts go to the scheduling service right away.'
      : `Posts stay editable until ${renderLead(policy.leadMinutes)} before they go out.`,
  ],
  review: ({ review }) => [REVIEW_TEXTS[review]],
  seriesReview: (policy) =>
    reviewsSeriesOnce(policy) ? ['Posts that repeat are reviewed once for each text.'] : [],
  reviewSteps: ({ review, reviewSteps }) =>
    review === 'off' ? [] : reviewSteps.map((step, index) => renderStep(step, index, reviewSteps.length)),
  stepPeople: ({ review, reviewSteps, stepPeople }) =>
    review === 'off' || reviewSteps.length < 2
      ? []
      : [
          stepPeople === 'any'
            ? 'The same person may approve several steps.'
            : 'Each step needs somebody who hasn’t approved an earlier one.',
        ],
  standIns: ({ review, standIns }) =>
    review === 'off' || standIns.length === 0 ? [] : [`Stand-ins: ${standIns.map(renderPerson).join(', ')}`],
  ownerOverride: ({ review, ownerOverride }) =>
    review === 'off' || ownerOverride === undefined
      ? []
      : [`${renderPerson(ownerOverride)} required a review although fewer than two people can approve.`],
  channel: ({ channel, ...policy }) =>
    policy.review === 'off' && !holdsPosts(policy)
      ? []
      : [
          channel === undefined
            ? 'Requests go to direct messages, and problems to where a post was written.'
            : `Requests and problems go to <#${channel}>.`,
        ],
  xAccount: ({ xAccount }) =>
    xAccount === 'paid' ? ['Posts on X may be long, because its account pays.'] : [],
  guests: (policy) => (keepsGuestsOut(policy) ? ['Nothing is posted where guests are.'] : []),
  postingTimes: ({ postingTimes, ...policy }) =>
    holdsPosts(policy)
      ? summarize(postingTimes.map((times) => `Slots for ${escapeText(renderPostingTimes(times))}`))
      : [],
  blackouts: ({ blackouts }) =>
    summarize(blackouts.map((days) => `Blackout: ${escapeText(renderBlackoutLine(days))}`)),
};

/** Maximum lines about one setting, so that a message fits. The form has all of them. */
const MAX_SETTING_LINES = 10;

function summarize(lines: readonly string[]): string[] {
  const hiddenCount = lines.length - MAX_SETTING_LINES;
  return [...lines.slice(0, MAX_SETTING_LINES), ...(hiddenCount > 0 ? [`… and ${hiddenCount} more`] : [])];
}

/** Renders the settings that the form doesn't show as fields, unless they are the default (mrkdwn). */
export function renderSettings(policy: ProjectPolicy, settings: readonly PolicySetting[]): string[] {
  return settings.flatMap((setting) => SETTING_LINES[setting](policy));
}

function renderPolicyLines(policy: ProjectPolicy): string[] {
  return Object.values(SETTING_LINES).flatMap((renderLines) => renderLines(policy));
}

function renderLineSection(lines: readonly string[]): SectionBlock {
  return section(lines.map((line) => `• ${line}`).join('\n'));
}

function renderStep(step: ReviewStep, index: number, count: number): string {
  return `${renderStepName(index, count)}: ${renderApprovers(step)}`;
}

export function renderStepName(index: number, count: number): string {
  return count === 1 ? 'Approvers' : `Step ${index + 1}`;
}

/** Renders who approves a step, and how many of them have to (mrkdwn). */
export function renderApprovers({ approvers, needs }: ReviewStep): string {
  return `${approvers.map(renderApprover).join(', ')} (${needs === 'all' ? 'all of them' : 'any one of them'})`;
}

function renderApprover(approver: Approver): string {
  switch (approver.kind) {
    case 'role':
      return renderRoleAndAbove(approver.role);
    case 'person':
      return renderPerson(approver.id);
    case 'group':
      return `<!subteam^${approver.id}>`;
  }
}

function renderPerson(id: string): string {
  return `<@${id}>`;
}

/** Renders the message that shows a project's policy, with [Change policy] for managers. */
export function renderPolicyMessage(
  project: Project,
  policy: ProjectPolicy,
  { canChange }: { canChange: boolean },
): Message {
  const lines = renderPolicyLines(policy);
  const notes = holdsPosts(policy) ? HOLDING_NOTES.map((note) => context(note)) : [];
  return {
    text: `${renderProjectName(project)}: ${lines.join(' ')}`,
    blocks: [
      section(`*Policy of ${renderProjectName(project)}*`),
      renderLineSection(lines),
      ...notes,
      ...(canChange ? [actions(button('Change policy', CHANGE_ACTION, project.id))] : []),
    ],
  };
}

/** Builds the view after a change. `notes`: what becomes of the posts that wait (plain text). */
export function buildSavedView(project: Project, policy: ProjectPolicy, notes: readonly string[]): ModalView {
  return buildModal(TITLE, [
    section(`*Saved for ${renderProjectName(project)}.*`),
    renderLineSection(renderPolicyLines(policy)),
    ...(notes.length === 0 ? [] : [section(notes.join(' '))]),
  ]);
}

/** Maximum number of blackouts whose posts are named. Our own limit. */
const MAX_NAMED_BLACKOUTS = 3;

/** Says how many posts are on new blackout days, and where (mrkdwn). `found`: the days of each; undefined: not known. */
export function renderBlackoutNotes(
  project: Project,
  added: readonly Blackout[],
  found: readonly Blackout[] | undefined,
): string[] {
  const blackouts = added.filter((blackout) => found?.includes(blackout) ?? true);
  if (blackouts.length === 0) return [];
  const commands = blackouts.slice(0, MAX_NAMED_BLACKOUTS).map((blackout) => {
    const days = renderBlackoutDays(blackout, { hasYear: true });
    return `\`/upnext posts ${escapeText(sanitizeLine(project.name))} ${days}\``;
  });
  const hiddenCount = blackouts.length - commands.length;
  const more = hiddenCount > 0 ? [renderCount(hiddenCount, 'more blackout')] : [];
  const text = found
    ? `${renderCount(found.length, 'post that I keep is', 'posts that I keep are')} still planned on new blackout days.`
    : 'I couldn’t count the posts that I keep on new blackout days.';
  return [`:warning: ${text} See ${joinWithAnd([...commands, ...more])}.`];
}

export const CONFLICT =
  'Nothing was saved: somebody just changed this policy. Open it again with /upnext policy.';

/** The answer to a decision that was applied before, or whose change isn't stored any more. */
export const DECIDED_OR_OLD =
  'I already have this decision, or it’s too old. Nothing was changed now. See the policy with /upnext policy.';

export function buildNotSavedView(reason = CONFLICT): ModalView {
  return { ...buildModal(TITLE, [section(reason)]), clear_on_close: true };
}

/** The callback_id of the view that asks what becomes of the posts that Upnext keeps. */
export const HELD_POSTS_VIEW = 'policy-held-posts';
export const CHOICE_BLOCK = 'choice';

interface PolicyChange {
  expected: ProjectPolicy;
  policy: ProjectPolicy;
}

/** Whether posts may need approvals that they didn't need before. */
export function needsOtherApprovals({ expected, policy }: PolicyChange): boolean {
  if (!requiresReview(policy)) return false;
  return !requiresReview(expected) || changeAffects('approvals', expected, policy);
}

/** Renders the question what becomes of the posts that Upnext keeps. `id`: the id of the stored change. */
export function renderHeldPostsQuestion(
  question: {
    id: string;
    project: Project;
    waiting: WaitingPosts;
  } & PolicyChange,
): ModalView {
  const { id, project, waiting, ...change } = question;
  const { policy } = change;
  const total = waiting.held + waiting.inReview;
  const pronoun = total === 1 ? 'it' : 'them';
  const inReviewText =
    waiting.inReview === 1
      ? '1 post in review stays with its reviewers.'
      : `${renderCounted(waiting.inReview, 'post')} in review stay with their reviewers.`;
  const notes = [
    ...(policy.leadMinutes === undefined || needsOtherApprovals(change)
      ? []
      : [`Posts that go out in less than ${renderLead(policy.leadMinutes)} are sent to the service now.`]),
    ...(waiting.inReview > 0 ? [inReviewText] : []),
    ...(needsOtherApprovals(change) && waiting.held > 0
      ? ['Scheduled posts without the approvals that are needed now go to the reviewers first.']
      : []),
    ...renderChangeNotes(change, waiting),
  ];
  const choices = [
    option(renderKeepChoice(policy, total), 'keep'),
    ...(waiting.held > 0 && !needsOtherApprovals(change)
      ? [option(`Send ${pronoun} to the scheduling service now`, 'hand-over')]
      : []),
  ];
  const [firstChoice] = choices;
  return buildSubmitModal({ id: HELD_POSTS_VIEW, metadata: id, title: 'Waiting posts', submit: 'Save' }, [
    section(
      `*Upnext keeps ${renderCounted(total, 'post')} of ${renderProjectName(project)}.* The policy hasn’t changed yet.`,
    ),
    {
      type: 'input',
      block_id: CHOICE_BLOCK,
      label: plain(`What should happen to ${pronoun}?`),
      element: {
        type: 'radio_buttons',
        action_id: CHOICE_BLOCK,
        options: choices,
        ...(firstChoice && { initial_option: firstChoice }),
      },
    },
    ...notes.map((note) => context(note)),
  ]);
}

function renderKeepChoice({ leadMinutes }: ProjectPolicy, count: number): string {
  const [them, they, go] = count === 1 ? ['it', 'it', 'goes'] : ['them', 'they', 'go'];
  return leadMinutes === undefined
    ? `Keep ${them} until the time ${they} would have gone over`
    : `Keep ${them} editable until ${renderLead(leadMinutes)} before ${they} ${go} out`;
}

/** Says that posts in the outbox need other approvals too, and that series pause (plain text). */
export function renderChangeNotes(
  change: PolicyChange,
  { inOutbox, inFlight, series }: WaitingPosts,
): string[] {
  if (!holdsPosts(change.policy) && series > 0)
    return [
      `The project’s ${series === 1 ? 'series pauses' : `${series} series pause`}: I can make posts ahead only while they stay editable.`,
    ];
  if (!needsOtherApprovals(change)) return [];
  const outboxText = `${renderCount(inOutbox, 'post in the outbox needs a review too, and goes to its', 'posts in the outbox need a review too, and go to their')} reviewers.`;
  const inFlightText = `${renderCount(inFlight, 'post is on its', 'posts are on their')} way to the service, and may go out without a review.`;
  return [...(inOutbox > 0 ? [outboxText] : []), ...(inFlight > 0 ? [inFlightText] : [])];
}

/** Renders what became of the posts that Upnext keeps (plain text). */
export function renderHeldPostsResult(
  { handedOver, isStopped }: { handedOver: number; isStopped: boolean },
  change: PolicyChange,
): string {
  const { leadMinutes } = change.policy;
  if (isStopped)
    return `Sending is stopped, so ${renderCount(handedOver, 'post waits', 'posts wait')} for that to end.`;
  if (handedOver > 0)
    return `${renderCount(handedOver, 'post is on its', 'posts are on their')} way to the scheduling service.`;
  if (needsOtherApprovals(change))
    return 'Scheduled posts without the approvals that are needed go to their reviewers within a few minutes.';
  return leadMinutes === undefined
    ? 'Waiting posts stay editable until the time they would have gone over.'
    : `Waiting posts stay editable until ${renderLead(leadMinutes)} before they go out.`;
}
