import type { Lifecycle } from '../delivery/lifecycle.ts';

/**
 * The lifecycle of a publication: whether the service has published a post that was scheduled with Upnext. Upnext only
 * reads here. It begins shortly after the publishing time.
 *
 *   checking → published | failed | late | unclear | dropped
 *
 * checking: Upnext reads the service's list of posts, and its log if the list doesn't settle it. While the service
 * doesn't answer, or still lists the post as scheduled, Upnext checks again later.
 * published: The service lists the post as published. Final.
 * failed: The service's list or log says that the post failed. Final.
 * late: The service still lists the post as scheduled, long after the publishing time. Final.
 * unclear: Upnext couldn't find out. Final.
 * dropped: A backup was restored, or the app was uninstalled, so nobody is notified. Final.
 */
const STATES = ['checking', 'published', 'failed', 'late', 'unclear', 'dropped'] as const;
export type State = (typeof STATES)[number];

export const LIFECYCLE: Lifecycle<State> = {
  checking: {
    to: ['published', 'failed', 'late', 'unclear', 'dropped'],
    waitsFor: 'us',
    remote: 'unknown',
    notifies: false,
    // The author may have been notified since the backup.
    afterRestore: { to: 'dropped' },
    afterUninstall: 'dropped',
  },
  published: { to: [], waitsFor: 'nobody', remote: 'present', notifies: true },
  failed: { to: [], waitsFor: 'nobody', remote: 'absent', notifies: true },
  late: { to: [], waitsFor: 'nobody', remote: 'unknown', notifies: true },
  unclear: { to: [], waitsFor: 'nobody', remote: 'unknown', notifies: true },
  dropped: { to: [], waitsFor: 'nobody', remote: 'unknown', notifies: false },
};

/** The final states that authors are notified of. */
export const REPORTED_STATES = ['published', 'failed', 'late', 'unclear'] as const satisfies State[];
export type ReportedState = (typeof REPORTED_STATES)[number];
