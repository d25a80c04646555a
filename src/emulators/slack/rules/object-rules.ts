import { CHART_RULES } from './chart-rules.ts';
import { ANYTHING, FLAG, type Kinds, list, may, must, oneOf, plain, string, thing, words } from './rule.ts';

const option = {
  text: must(plain(75), 'T P'),
  // Some documents say 150: 75 is taken everywhere.
  value: must(string(75), 'T P'),
  description: may(plain(75), 'T P'),
};

/** The objects that elements are composed of (docs.slack.dev, "Composition objects"). */
export const OBJECT_RULES: Kinds = {
  plain_text: { text: must(string(3000, 1), 'T P'), emoji: may(FLAG, 'T') },
  mrkdwn: { text: must(string(3000, 1), 'T P'), verbatim: may(FLAG, 'T') },
  option,
  /** In checkboxes and radio buttons, where the text may be formatted. */
  formatted_option: {
    ...option,
    text: must(words(75), 'T P'),
    description: may(words(75), 'T P'),
  },
  overflow_option: { ...option, url: may(string(3000), 'T P') },
  option_group: {
    label: must(plain(75), 'T P'),
    options: must(list(thing('option'), 1, 100), 'T P'),
  },
  confirm: {
    title: may(plain(100), 'T P'),
    text: must(words(300), 'T P'),
    confirm: may(plain(30), 'T P'),
    deny: may(plain(30), 'T P'),
    style: may(oneOf('primary', 'danger'), 'T P'),
  },
  dispatch_action_config: {
    trigger_actions_on: may(list(oneOf('on_enter_pressed', 'on_character_entered'), 1, 2), 'T P'),
  },
  conversation_filter: {
    include: may(list(oneOf('im', 'mpim', 'private', 'public'), 1, 4), 'T'),
    exclude_external_shared_channels: may(FLAG, 'T'),
    exclude_bot_users: may(FLAG, 'T'),
  },
  /** The cells of tables. Only all cells of a message together have a maximum length. */
  raw_text: { text: must(string(10_000, 1), 'T') },
  raw_number: { text: must(string(10_000, 1), 'T'), value: must(ANYTHING, 'T') },
  column_settings: { align: may(oneOf('left', 'center', 'right'), 'D T'), is_wrapped: may(FLAG, 'D T') },
  /** One side of feedback_buttons. */
  feedback_button: {
    text: must(plain(75), 'T'),
    value: must(string(2000), 'T'),
    accessibility_label: may(string(75), 'T'),
  },
  /** A source of a task. */
  url: { url: must(string(3000, 1), 'T'), text: must(string(3000, 1), 'T') },
  ...CHART_RULES,
  slack_file: { id: may(string(255), 'T'), url: may(string(3000), 'T') },
  workflow: { trigger: must(ANYTHING, 'T') },
};
