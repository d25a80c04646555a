import { BLOCK_RULES } from './block-rules.ts';
import {
  type FieldRule,
  FLAG,
  type Kinds,
  list,
  may,
  must,
  plain,
  string,
  typed,
  type Value,
} from './rule.ts';

const block = typed(...Object.keys(BLOCK_RULES).filter((kind) => kind !== 'image_element'));

const common: Record<string, FieldRule> = {
  blocks: must(list(block, 0, 100), 'D T'),
  private_metadata: may(string(3000), 'P T D'),
  callback_id: may(string(255), 'P T D'),
  external_id: may(string(255), 'P T D'),
};

/** Views (docs.slack.dev, "Views"). */
export const VIEW_RULES: Kinds = {
  modal: {
    ...common,
    title: must(plain(24), 'P T D'),
    submit: may(plain(24), 'P T D'),
    close: may(plain(24), 'P T D'),
    clear_on_close: may(FLAG, 'T'),
    notify_on_close: may(FLAG, 'T'),
  },
  home: common,
};

/** docs.slack.dev, "Blocks". */
export const MAX_MESSAGE_BLOCKS = 50;

/** The blocks of one message. */
export const MESSAGE_BLOCKS: Value = list(block, 0, MAX_MESSAGE_BLOCKS);

/** What an app answers to an options request. */
export const OPTIONS_RULES: Kinds = {
  options_answer: {
    options: may(list({ kind: 'thing', is: 'option' }, 0, 100), 'D T'),
    option_groups: may(list({ kind: 'thing', is: 'option_group' }, 0, 100), 'D T'),
  },
};
