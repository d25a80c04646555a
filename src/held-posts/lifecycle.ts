import { filterStates, type Lifecycle } from '../engine/lifecycle.ts';

/**
 * The lifecycle of a held post: a post that Upnext keeps, so that it can be edited, until it hands it over to the
 * scheduling service shortly before its time.
 *
 *   draft ⇄ awaiting-review → held → handed-over → delivered
 *     └────────→ held ─┘        └→ needs-person ←┘
 *   each but handed-over and delivered → cancelled → the state before
 *
 * `draft`: somebody is still writing the post, or a reviewer has returned it. It is handed over only after somebody has scheduled it.
 *
 * `awaiting-review`: its reviewers have been asked. Upnext reminds them, and at the time of the hand-over the post isn't
 * sent without their approval.
 *
 * `held`: the post goes over at `hand_over_at`. Before that, Upnext checks whether somebody may still schedule it, the
 * service is the same, nothing is stopped, and the approvals are for this content.
 *
 * `handed-over`: committed in one transaction with the submission, which alone decides from then on. Upnext waits for
 * its outcome.
 *
 * `needs-person`: the post wasn't sent, and somebody has to decide: the service refused it, its time has passed, or
 * nobody may schedule it any more.
 *
 * `cancelled`: somebody cancelled the post. It can be restored until it is deleted.
 *
 * `delivered`: the service has the post. Final.
 *
 * `dropped`: the app was uninstalled, which deletes the content, or the author discarded the submission. Final.
 */
export const STATES = [
  'draft',
  'awaiting-review',
  'held',
  'handed-over',
  'needs-person',
  'cancelled',
  'delivered',
  'dropped',
] as const;
export type State = (typeof STATES)[number];

/**
 * Reasons of a state.
 *
 * For `needs-person`: `refused`: the service refused the post. `gave-up`: it couldn't be sent for 24 hours.
 * `taken-back`: its author wants to edit it, and the service didn't have it yet. `overdue`: its
 * time passed before it went over. `not-allowed`: neither the author nor an approver may schedule it. `not-approved`: it
 * wasn't approved in time. `other-service`: the workspace connected another service. `restored`: a backup was restored.
 *
 * For `held`: `stopped`: the project is stopped. `not-checked`: a check before the hand-over had no answer.
 *
 * For `draft`: `changes-requested` and `rejected` by a reviewer.
 */
export const STATE_REASONS = [
  'refused',
  'gave-up',
  'taken-back',
  'overdue',
  'not-allowed',
  'not-approved',
  'other-service',
  'restored',
  'stopped',
  'not-checked',
  'changes-requested',
  'rejected',
] as const;
export type StateReason = (typeof STATE_REASONS)[number];

/** What happened to a held post, for its history. `hurried`: somebody asked for the hand-over before its time. */
export const EVENT_KINDS = [
  'created',
  'edited',
  'moved',
  'commented',
  'sent-for-review',
  'approved',
  'changes-requested',
  'rejected',
  'approval-voided',
  'scheduled',
  'cancelled',
  'restored',
  'taken-over',
  'hurried',
  'handed-over',
  'returned',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/**
 * What a message about a held post is for: its author, its reviewers, a channel it was shared with, or a problem. A
 * reminder is a message that doesn't change, such as a reply in the thread of a review request.
 */
export const MESSAGE_PURPOSES = ['author', 'review', 'shared', 'problem', 'reminder'] as const;
export type MessagePurpose = (typeof MESSAGE_PURPOSES)[number];

/** The content exists only in Upnext. */
const kept = { remote: 'absent', keepsContent: true, afterUninstall: 'dropped' } as const;
/** The post may have been handed over since the backup. */
const restored = { afterRestore: { to: 'needs-person' } } as const;

export const LIFECYCLE: Lifecycle<State> = {
  draft: {
    nextStates: ['held', 'awaiting-review', 'handed-over', 'cancelled', 'needs-person', 'dropped'],
    waitsFor: 'person',
    notifies: true,
    ...kept,
  },
  'awaiting-review': {
    nextStates: ['draft', 'held', 'handed-over', 'needs-person', 'cancelled', 'dropped'],
    waitsFor: 'upnext',
    notifies: true,
    ...kept,
    ...restored,
  },
  held: {
    nextStates: ['draft', 'awaiting-review', 'handed-over', 'needs-person', 'cancelled', 'dropped'],
    waitsFor: 'upnext',
    notifies: true,
    ...kept,
    ...restored,
  },
  'handed-over': {
    nextStates: ['delivered', 'needs-person', 'dropped'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: true,
    afterUninstall: 'dropped',
  },
  'needs-person': {
    nextStates: ['draft', 'held', 'awaiting-review', 'handed-over', 'cancelled', 'dropped'],
    waitsFor: 'person',
    notifies: true,
    ...kept,
  },
  cancelled: {
    nextStates: ['draft', 'held', 'awaiting-review', 'needs-person', 'dropped'],
    waitsFor: 'person',
    remote: 'absent',
    notifies: true,
    afterUninstall: 'dropped',
  },
  delivered: { nextStates: [], waitsFor: 'nobody', remote: 'present', notifies: true },
  dropped: { nextStates: [], waitsFor: 'nobody', remote: 'unknown', notifies: false },
};

/** States in which the post can be edited, moved and cancelled. */
export const EDITABLE_STATES = filterStates(LIFECYCLE, ({ keepsContent }) => keepsContent === true);
/** States in which the post is still the project's plan: it is editable, or on its way to the service. */
export const PLANNED_STATES = [...EDITABLE_STATES, 'handed-over'] as const satisfies State[];
