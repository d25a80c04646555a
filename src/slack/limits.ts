/**
 * What Slack accepts, in one place. Sources: the doc comments of `@slack/types` 3.2 and
 * https://docs.slack.dev/reference/block-kit/ ; lengths are UTF-16 units, as Slack counts them.
 */
export const LIMITS = {
  /** A `text` object of a section. */
  sectionText: 3000,
  buttonText: 75,
  optionText: 75,
  /** Documents disagree (75, 150); 75 is safe everywhere. */
  optionValue: 75,
  /** Options of one select, and of one answer to an options request. */
  options: 100,
  contextElements: 10,
  actionsElements: 25,
  inputLabel: 2000,
  inputHint: 2000,
  /** `max_length` of a plain_text_input. */
  inputText: 3000,
  placeholder: 150,
  /** Of a modal, and of Home. */
  viewBlocks: 100,
  /** Title, submit and close of a view. */
  viewTitle: 24,
} as const;
