import { isRecord, type Json, recordsIn } from '../json.ts';
import { BLOCK_RULES } from './block-rules.ts';
import { ELEMENT_RULES } from './element-rules.ts';
import { OBJECT_RULES } from './object-rules.ts';
import type { Problem } from './problem.ts';
import type { FieldRule, Kinds, Value } from './rule.ts';
import { TOGETHER_RULES } from './together-rules.ts';
import { MESSAGE_BLOCKS, OPTIONS_RULES, VIEW_RULES } from './view-rules.ts';
import { WHOLE_RULES } from './whole-rules.ts';

/** Every kind that there is. A rule about a field stands here and nowhere else. */
export const KINDS: Kinds = {
  ...OBJECT_RULES,
  ...ELEMENT_RULES,
  ...BLOCK_RULES,
  ...VIEW_RULES,
  ...OPTIONS_RULES,
};

function one(says: string, pointer: string, among?: readonly string[]): Problem[] {
  return [{ says, pointer, ...(among ? { among } : {}) }];
}

function stringProblems(value: Value & { kind: 'string' }, given: unknown, pointer: string): Problem[] {
  if (typeof given !== 'string') return one('must provide a string', pointer);
  if (given.length < value.min) return one(`must be more than ${value.min - 1} characters`, pointer);
  if (given.length > value.max) return one(`must be less than ${value.max + 1} characters`, pointer);
  if (value.among && !value.among.includes(given))
    return one('must be a valid enum value', pointer, value.among);
  if (value.like && !value.like.test(given)) return one('failed to match schema', pointer);
  return [];
}

function listProblems(value: Value & { kind: 'list' }, given: unknown, pointer: string): Problem[] {
  if (!Array.isArray(given)) return one('must provide an array', pointer);
  if (given.length < value.min) return one(`must provide at least ${value.min} items`, pointer);
  if (given.length > value.max) return one(`no more than ${value.max} items allowed`, pointer);
  return given.flatMap((entry, index) => valueProblems(value.of, entry, `${pointer}/${index}`));
}

function numberProblems(value: Value & { kind: 'number' }, given: unknown, pointer: string): Problem[] {
  if (typeof given !== 'number' || !Number.isInteger(given)) return one('must provide an integer', pointer);
  if (given < value.min) return one(`must be greater than ${value.min - 1}`, pointer);
  if (given > value.max) return one(`must be less than ${value.max + 1}`, pointer);
  return [];
}

function typedProblems(among: readonly string[], given: unknown, pointer: string): Problem[] {
  if (!isRecord(given)) return one('must provide an object', pointer);
  const { type } = given;
  if (type === undefined) return one('missing required field: type', pointer);
  const types = among.map((entry) => (entry === 'image_element' ? 'image' : entry));
  const kind = among[types.indexOf(String(type))];
  return kind === undefined
    ? one(`unsupported type: ${type}`, `${pointer}/type`, types)
    : thingProblems(kind, given, pointer);
}

function wordsProblems(value: Value & { kind: 'words' }, given: unknown, pointer: string): Problem[] {
  if (!isRecord(given)) return one('must provide an object', pointer);
  if (given.type === undefined) return one('missing required field: type', pointer);
  // The words of blocks.validate's example (docs.slack.dev/reference/methods/blocks.validate).
  if (!value.of.includes(String(given.type))) {
    return one(`unsupported type: ${given.type}`, `${pointer}/type`, value.of);
  }
  const shape = thingProblems(String(given.type), given, pointer);
  if (shape.length > 0 && typeof given.text !== 'string') return shape;
  const { min, max } = value;
  const length = stringProblems({ kind: 'string', min, max }, given.text, `${pointer}/text`);
  return [...length, ...shape.filter((problem) => problem.pointer !== `${pointer}/text`)];
}

function valueProblems(value: Value, given: unknown, pointer: string): Problem[] {
  switch (value.kind) {
    case 'words':
      return wordsProblems(value, given, pointer);
    case 'string':
      return stringProblems(value, given, pointer);
    case 'number':
      return numberProblems(value, given, pointer);
    case 'boolean':
      return typeof given === 'boolean' ? [] : one('must provide a boolean', pointer);
    case 'list':
      return listProblems(value, given, pointer);
    case 'thing':
      return isRecord(given)
        ? thingProblems(value.is, given, pointer)
        : one('must provide an object', pointer);
    case 'typed':
      return typedProblems(value.among, given, pointer);
    case 'anything':
      return [];
  }
}

/** What is wrong with one field of an object. */
export function fieldProblems(rule: FieldRule, field: string, object: Json, pointer: string): Problem[] {
  const given = object[field];
  if (given !== undefined) return valueProblems(rule.value, given, `${pointer}/${field}`);
  return rule.required ? one(`missing required field: ${field}`, pointer) : [];
}

/** Options and other composed objects have no `type`; everything else does. */
function thingProblems(kind: string, object: Json, pointer: string): Problem[] {
  const rules = KINDS[kind] ?? {};
  const strange = Object.keys(object).filter((key) => key !== 'type' && !Object.hasOwn(rules, key));
  return [
    ...strange.flatMap((key) => one(`invalid additional property: ${key}`, pointer)),
    ...Object.entries(rules).flatMap(([field, rule]) => fieldProblems(rule, field, object, pointer)),
    ...WHOLE_RULES.filter((rule) => rule.of.includes(kind)).flatMap((rule) => rule.check(object, pointer)),
  ];
}

/** Everything that Slack would find wrong with a view; pointers begin at `/view`. */
export function problemsOfView(view: Json): Problem[] {
  const pointer = '/view';
  if (view.type === undefined) return one('missing required field: type', pointer);
  if (view.type !== 'modal' && view.type !== 'home')
    return one('must be a valid enum value', `${pointer}/type`);
  const surface = view.type;
  const blocks = recordsIn(view, 'blocks');
  return [
    ...thingProblems(surface, view, pointer),
    ...TOGETHER_RULES.flatMap((rule) => rule.check(blocks, `${pointer}/blocks`, surface)),
  ];
}

/** The same for the blocks of a message; pointers begin at `/blocks`. */
export function problemsOfBlocks(blocks: readonly unknown[]): Problem[] {
  const pointer = '/blocks';
  const whole = valueProblems(MESSAGE_BLOCKS, blocks, pointer);
  return [
    ...whole,
    ...TOGETHER_RULES.flatMap((rule) => rule.check(blocks.filter(isRecord), pointer, 'message')),
  ];
}

/** The same for an answer to an options request. */
export function problemsOfOptions(answer: Json): Problem[] {
  return thingProblems('options_answer', answer, '');
}
