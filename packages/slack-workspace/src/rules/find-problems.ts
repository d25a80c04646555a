import { getRecords, isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { BLOCK_RULES, MESSAGE_BLOCKS, OPTIONS_RULES, VIEW_RULES } from './block-rules.ts';
import { BLOCK_LIST_RULES, CROSS_FIELD_RULES, countTextCharacters } from './cross-field-rules.ts';
import { COMPOSITION_OBJECT_RULES, ELEMENT_RULES, RICH_TEXT_RULES } from './element-rules.ts';
import { type FieldRule, type FieldRules, type Problem, type Schema, string } from './field-rule.ts';
import { SLACK_LIMITS } from './slack-limits.ts';

export const FIELD_RULES: FieldRules = {
  ...COMPOSITION_OBJECT_RULES,
  ...RICH_TEXT_RULES,
  ...ELEMENT_RULES,
  ...BLOCK_RULES,
  ...VIEW_RULES,
  ...OPTIONS_RULES,
};

const report = (message: string, pointer: string): Problem[] => [{ message, pointer }];

function checkString(schema: Schema & { kind: 'string' }, value: unknown, pointer: string): Problem[] {
  if (typeof value !== 'string') return report('must provide a string', pointer);
  if (value.length < schema.min) return report(`must be more than ${schema.min - 1} characters`, pointer);
  if (value.length > schema.max) return report(`must be less than ${schema.max + 1} characters`, pointer);
  if (schema.values && !schema.values.includes(value)) return report('must be a valid enum value', pointer);
  if (schema.fits && !schema.fits(value)) return report(schema.misfit ?? 'failed to match schema', pointer);
  return [];
}

function checkArray(schema: Schema & { kind: 'array' }, value: unknown, pointer: string): Problem[] {
  if (!Array.isArray(value)) return report('must provide an array', pointer);
  if (value.length < schema.min) return report(`must provide at least ${schema.min} items`, pointer);
  if (value.length > schema.max) return report(`no more than ${schema.max} items allowed`, pointer);
  return value.flatMap((item, index) => checkValue(schema.items, item, `${pointer}/${index}`));
}

function checkInteger(schema: Schema & { kind: 'integer' }, value: unknown, pointer: string): Problem[] {
  if (typeof value !== 'number' || !Number.isInteger(value))
    return report('must provide an integer', pointer);
  if (value < schema.min) return report(`must be greater than ${schema.min - 1}`, pointer);
  if (value > schema.max) return report(`must be less than ${schema.max + 1}`, pointer);
  return [];
}

function checkTypedObject(objectKinds: readonly string[], value: unknown, pointer: string): Problem[] {
  if (!isRecord(value)) return report('must provide an object', pointer);
  const { type } = value;
  if (type === undefined) return report('missing required field: type', pointer);
  const types = objectKinds.map((kind) => (kind === 'image_element' ? 'image' : kind));
  const objectKind = objectKinds[types.indexOf(String(type))];
  return objectKind === undefined
    ? report(`unsupported type: ${type}`, `${pointer}/type`)
    : checkObject(objectKind, value, pointer);
}

type TextSchema = Schema & { kind: 'textObject' };

function checkTextObject(schema: TextSchema, value: unknown, pointer: string): Problem[] {
  if (!isRecord(value)) return report('must provide an object', pointer);
  const { type, text } = value;
  if (type === undefined) return report('missing required field: type', pointer);
  // The text is that of the example in docs.slack.dev/reference/methods/blocks.validate.
  if (!schema.textTypes.includes(String(type))) return report(`unsupported type: ${type}`, `${pointer}/type`);
  const problems = checkObject(String(type), value, pointer);
  if (problems.length > 0 && typeof text !== 'string') return problems;
  // The limits of this field replace the general limits of a text object.
  const { min, max } = schema;
  return [
    ...checkString(string(max, min), text, `${pointer}/text`),
    ...problems.filter((problem) => problem.pointer !== `${pointer}/text`),
  ];
}

export function checkValue(schema: Schema, value: unknown, pointer: string): Problem[] {
  switch (schema.kind) {
    case 'textObject':
      return checkTextObject(schema, value, pointer);
    case 'string':
      return checkString(schema, value, pointer);
    case 'integer':
      return checkInteger(schema, value, pointer);
    case 'boolean':
      return typeof value === 'boolean' ? [] : report('must provide a boolean', pointer);
    case 'array':
      return checkArray(schema, value, pointer);
    case 'object':
      return isRecord(value)
        ? checkObject(schema.objectKind, value, pointer)
        : report('must provide an object', pointer);
    case 'typedObject':
      return checkTypedObject(schema.objectKinds, value, pointer);
    case 'any':
      return [];
  }
}

/** The problems of one field of an object. `pointer` is that of the object. */
export function checkField(rule: FieldRule, field: string, object: Json, pointer: string): Problem[] {
  const value = object[field];
  if (value !== undefined) return checkValue(rule.schema, value, `${pointer}/${field}`);
  return rule.isRequired ? report(`missing required field: ${field}`, pointer) : [];
}

function checkObject(objectKind: string, object: Json, pointer: string): Problem[] {
  const rules = FIELD_RULES[objectKind] ?? {};
  const unknownFields = Object.keys(object).filter((key) => key !== 'type' && !Object.hasOwn(rules, key));
  const crossFieldRules = CROSS_FIELD_RULES.filter(({ kinds }) => kinds.includes(objectKind));
  return [
    ...unknownFields.flatMap((key) => report(`invalid additional property: ${key}`, pointer)),
    ...Object.entries(rules).flatMap(([field, rule]) => checkField(rule, field, object, pointer)),
    ...crossFieldRules.flatMap((rule) => rule.check(object, pointer)),
  ];
}

/** All problems that Slack finds in a view. Pointers start with `/view`. */
export function findViewProblems(view: Json): Problem[] {
  const pointer = '/view';
  if (view.type === undefined) return report('missing required field: type', pointer);
  if (view.type !== 'modal' && view.type !== 'home')
    return report('must be a valid enum value', `${pointer}/type`);
  const surface = view.type;
  const blocks = getRecords(view, 'blocks');
  return [
    ...checkObject(surface, view, pointer),
    ...BLOCK_LIST_RULES.flatMap((rule) => rule.check(blocks, `${pointer}/blocks`, surface)),
  ];
}

/** All problems that Slack finds in the blocks of a message. Pointers start with `/blocks`. */
export function findBlockProblems(blocks: readonly unknown[]): Problem[] {
  const pointer = '/blocks';
  return [
    ...checkValue(MESSAGE_BLOCKS, blocks, pointer),
    ...BLOCK_LIST_RULES.flatMap((rule) => rule.check(blocks.filter(isRecord), pointer, 'message')),
  ];
}

/** All problems that Slack finds in an app's answer to an options request. Pointers start with its fields. */
export const findOptionsProblems = (answer: Json): Problem[] => checkObject('options_answer', answer, '');

function formatMessages(problems: readonly Problem[]): string[] {
  return problems.map(({ message, pointer }) => `[ERROR] ${message} [json-pointer:${pointer}]`);
}

/** The error `invalid_arguments`, with a message and a JSON pointer for each problem. */
export function createArgumentsRefusal(problems: readonly Problem[]): Refusal {
  return new Refusal('invalid_arguments', { response_metadata: { messages: formatMessages(problems) } });
}

/** The error of `chat.*` methods. */
export function createBlocksRefusal(problems: readonly Problem[]): Refusal {
  return new Refusal('invalid_blocks', {
    errors: problems.map(({ message, pointer }) => `${message} [json-pointer:${pointer}]`),
    response_metadata: { messages: formatMessages(problems) },
  });
}

/** Returns the view. Throws a {@link Refusal} if Slack would refuse it, or if it isn't of this type. */
export function validateView(view: unknown, type: 'modal' | 'home'): Json {
  if (!isRecord(view))
    throw createArgumentsRefusal([{ message: 'must provide an object', pointer: '/view' }]);
  const problems = findViewProblems(view);
  if (problems.length > 0) throw createArgumentsRefusal(problems);
  if (view.type !== type)
    throw createArgumentsRefusal([{ message: 'must be a valid enum value', pointer: '/view/type' }]);
  if (Buffer.byteLength(JSON.stringify(view)) > SLACK_LIMITS.viewBytes.value)
    throw new Refusal('view_too_large');
  return view;
}

/** Returns the blocks. Throws a {@link Refusal} if Slack would refuse them in a message. */
export function validateBlocks(blocks: unknown): Json[] {
  if (!Array.isArray(blocks)) throw new Refusal('invalid_blocks_format');
  const problems = findBlockProblems(blocks);
  if (problems.length > 0) throw createBlocksRefusal(problems);
  if (countTextCharacters(blocks) > SLACK_LIMITS.blocksTextLength.value)
    throw new Refusal('msg_blocks_too_long');
  return blocks.filter(isRecord);
}

/** Returns the app's answer to an options request. Throws a {@link Refusal} if Slack would refuse it. */
export function validateOptions(answer: unknown): Json {
  if (!isRecord(answer)) return { options: [] };
  const problems = findOptionsProblems(answer);
  if (problems.length > 0) throw createArgumentsRefusal(problems);
  return 'option_groups' in answer
    ? { option_groups: answer.option_groups }
    : { options: answer.options ?? [] };
}
