import type { Lifecycle } from '../engine/lifecycle.ts';

/**
 * The lifecycle of a publication: whether the service has published a post that was scheduled with Upnext. Upnext only
 * reads here. It begins shortly after the publishing time.
 *
 *   checking → published | failed | unclear | dropped
 *       ⇅
 *      late → published | failed | dropped
 *
 * checking: Upnext reads the service's list of posts, and its log if the list doesn't settle it. While the service
 * doesn't answer, or still lists the post as scheduled, Upnext checks again later.
 * published: The service lists the post as published. Final.
 * failed: The service's list or log says that the post failed. Final.
 * late: Long after the publishing time, the service still lists the post as scheduled. The author is notified, and Upnext
 * goes on checking.
 * unclear: Upnext couldn't find out. Final.
 * dropped: There is nothing more to notify anybody of: a backup was restored, the app was uninstalled, or a late post was
 * never published. Final.
 */
const STATES = ['checking', 'published', 'failed', 'late', 'unclear', 'dropped'] as const;
export type State = (typeof STATES)[number];

/** State reasons. `late`: the author was notified that the post is late, which happens only once. */
export type StateReason = 'late';

/** After a restored backup nobody is notified, because the author may have been notified since the backup. */
const dropped = { afterRestore: { to: 'dropped' }, afterUninstall: 'dropped' } as const;

export const LIFECYCLE: Lifecycle<State> = {
  checking: {
    nextStates: ['published', 'failed', 'late', 'unclear', 'dropped'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: false,
    ...dropped,
  },
  late: {
    nextStates: ['checking', 'published', 'failed', 'dropped'],
    waitsFor: 'upnext',
    remote: 'unknown',
    notifies: true,
    ...dropped,
  },
  published: { nextStates: [], waitsFor: 'nobody', remote: 'present', notifies: true },
  failed: { nextStates: [], waitsFor: 'nobody', remote: 'absent', notifies: true },
  unclear: { nextStates: [], waitsFor: 'nobody', remote: 'unknown', notifies: true },
  dropped: { nextStates: [], waitsFor: 'nobody', remote: 'unknown', notifies: false },
};

/** The states that authors are notified of. */
export const REPORTED_STATES = ['published', 'failed', 'late', 'unclear'] as const satisfies State[];
export type ReportedState = (typeof REPORTED_STATES)[number];
