/**
 * Slack's limits. Sources: the doc comments of `@slack/types` 3.2 and https://docs.slack.dev/reference/block-kit/
 * Slack counts lengths in UTF-16 units.
 */
export const LIMITS = {
  sectionText: 3000,
  fieldText: 2000,
  header: 150,
  buttonText: 75,
  buttonValue: 2000,
  optionText: 75,
  /** Slack's documentation says 75 in one place and 150 in another. 75 works everywhere. */
  optionValue: 75,
  /** Options in one select, and in one response to an options request. */
  options: 100,
  /** Entries of a menu ⋯. */
  menuOptions: 5,
  contextElements: 10,
  pictureAddress: 3000,
  inputLabel: 2000,
  inputHint: 2000,
  /** `max_length` of a plain_text_input. */
  inputText: 3000,
  /**
   * The text of a message. Commands are typed in the same field, and no other text of a request is longer. Slack cuts
   * off longer texts: https://docs.slack.dev/changelog/2018-04-truncating-really-long-messages
   */
  messageText: 40_000,
  placeholder: 150,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  messageBlocks: 50,
  /** Blocks in a modal or in Home. */
  viewBlocks: 100,
  /** Title, submit label and close label of a view. */
  viewTitle: 24,
} as const;
