import { isRecord, type Json } from '../json.ts';
import type { StepParameter } from '../step-function.ts';

/** Types of parameters that Slack fills in: the person, and the pointer that opens a form for them. */
export const FILLED_BY_SLACK: ReadonlySet<string> = new Set([
  'slack#/types/interactivity',
  'slack#/types/user_context',
]);

/** Slack's own types are ids and other strings, except for a few objects. */
function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
    case 'slack#/types/timestamp':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
    case 'slack#/types/interactivity':
    case 'slack#/types/user_context':
    case 'slack#/types/message_context':
      return isRecord(value);
    case 'slack#/types/rich_text':
    case 'slack#/types/expanded_rich_text':
    case 'slack#/types/blocks':
      return typeof value === 'object' && value !== null;
    default:
      return typeof value === 'string' && (value !== '' || type === 'string');
  }
}

/** Finds missing and mistyped values of a step. Slack's texts aren't documented, so these are our own. */
export function findValueProblems(parameters: readonly StepParameter[], values: Json): string[] {
  return parameters.flatMap(({ name, type, isRequired }) => {
    const value = values[name];
    if (value === undefined || value === null)
      return isRequired ? [`missing required parameter: ${name}`] : [];
    return isOfType(type, value) ? [] : [`parameter ${name} must be of type ${type}`];
  });
}
