import type { ModalView } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import type { WaitingPosts } from '../../held-posts/policy-change.ts';
import { renderLead } from '../../posts/post-text.ts';
import {
  changeAffects,
  holdsPosts,
  type ProjectPolicy,
  requiresReview,
} from '../../preferences/project-policy.ts';
import { context, option, plain, section } from '../../slack/blocks.ts';
import { buildSubmitModal } from '../../slack/message-view.ts';
import { renderCount } from '../../words.ts';
import { renderProjectName } from './policy-text.ts';

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
      : `${renderCount(waiting.inReview, 'post')} in review stay with their reviewers.`;
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
      `*Upnext keeps ${renderCount(total, 'post')} of ${renderProjectName(project)}.* The policy hasn’t changed yet.`,
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
    return 'Scheduled posts without the approvals that are needed now wait for their reviewers.';
  return leadMinutes === undefined
    ? 'Waiting posts stay editable until the time they would have gone over.'
    : `Waiting posts stay editable until ${renderLead(leadMinutes)} before they go out.`;
}
