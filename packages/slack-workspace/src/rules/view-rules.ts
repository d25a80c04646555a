import { BLOCK_RULES } from './block-rules.ts';
import {
  array,
  BOOLEAN,
  type FieldRule,
  type FieldRules,
  object,
  optionalField,
  plainText,
  requiredField,
  type Schema,
  string,
  typedObject,
} from './field-rule.ts';

const BLOCK = typedObject(...Object.keys(BLOCK_RULES).filter((kind) => kind !== 'image_element'));

const COMMON_FIELDS: Record<string, FieldRule> = {
  blocks: requiredField(array(BLOCK, 0, 100), 'D T'),
  private_metadata: optionalField(string(3000), 'P T D'),
  callback_id: optionalField(string(255), 'P T D'),
  external_id: optionalField(string(255), 'P T D'),
};

/** Views (docs.slack.dev, "Views"). */
export const VIEW_RULES: FieldRules = {
  modal: {
    ...COMMON_FIELDS,
    title: requiredField(plainText(24), 'P T D'),
    submit: optionalField(plainText(24), 'P T D'),
    close: optionalField(plainText(24), 'P T D'),
    clear_on_close: optionalField(BOOLEAN, 'T'),
    notify_on_close: optionalField(BOOLEAN, 'T'),
  },
  home: COMMON_FIELDS,
};

/** docs.slack.dev, "Blocks". */
export const MAX_MESSAGE_BLOCKS = 50;

export const MESSAGE_BLOCKS: Schema = array(BLOCK, 0, MAX_MESSAGE_BLOCKS);

/** An app's answer to an options request. */
export const OPTIONS_RULES: FieldRules = {
  options_answer: {
    options: optionalField(array(object('option'), 0, 100), 'D T'),
    option_groups: optionalField(array(object('option_group'), 0, 100), 'D T'),
  },
};
