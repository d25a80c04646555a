/** The error codes of actions and expectations in tests. The control API returns the same codes. */
export const ACTING_ERRORS = {
  unknown_team: 'There is no such workspace.',
  unknown_person: 'Nobody in the workspace has this name.',
  deactivated_person: 'The person’s account was deactivated, so nobody can act as them.',
  unknown_app: 'The workspace has no such app.',
  no_home_tab: 'The app has no Home tab.',
  unknown_channel: 'The workspace has no such channel.',
  unknown_group: 'The workspace has no such user group.',
  unknown_shortcut: 'The app has no such shortcut.',
  unknown_step: 'The app has no such step.',
  step_failed: 'The step failed.',
  step_completed: 'The step was completed, and was expected to fail.',
  unknown_element: 'There is no such field or button on what the person sees.',
  unanswered_dialog: 'The button or menu opens a confirmation dialog, and the call doesn’t answer it.',
  no_dialog: 'The button or menu has no confirmation dialog to answer.',
  unknown_option: 'The menu doesn’t offer this option.',
  unknown_message: 'No visible message contains this text.',
  not_called: 'The app didn’t call the method in time.',
  not_connected: 'The app didn’t connect in time.',
  not_visible: 'What was waited for didn’t appear in time.',
  wrong_element: 'The field can’t be used this way.',
  closed_modal: 'The modal is no longer open.',
  query_too_short: 'The menu searches only for longer texts.',
  install_failed: 'The app’s page or Slack’s consent page refused the installation.',
  not_installed: 'The app isn’t installed.',
} as const;

type ActingErrorCode = keyof typeof ACTING_ERRORS;

/** An action or expectation of a person in a test that failed. `visible` is the text that they see instead. */
export class ActingError extends Error {
  readonly code: ActingErrorCode;
  /** The message without the visible text. */
  readonly summary: string;
  readonly visible: string | undefined;

  constructor(code: ActingErrorCode, summary: string, visible?: string) {
    super(visible === undefined ? summary : `${summary} Visible instead:\n${visible}`);
    this.name = 'ActingError';
    this.code = code;
    this.summary = summary;
    this.visible = visible;
  }
}
