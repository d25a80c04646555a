import { isRecord, type Json } from '../json.ts';
import type { StepParameter } from '../step-function.ts';

/** Parameters that Slack fills in itself: the person, and what opens a form for them. */
export const FILLED_BY_SLACK: ReadonlySet<string> = new Set([
  'slack#/types/interactivity',
  'slack#/types/user_context',
]);

/** Whether a value is of a type of parameters. Slack's own types are ids and other texts, but for a few objects. */
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

/** What is wrong with the values of a step, in words of our own: Slack's are not documented. */
export function valueProblems(parameters: readonly StepParameter[], values: Json): string[] {
  return parameters.flatMap(({ name, type, isRequired }) => {
    const value = values[name];
    if (value === undefined || value === null)
      return isRequired ? [`missing required parameter: ${name}`] : [];
    return isOfType(type, value) ? [] : [`parameter ${name} must be of type ${type}`];
  });
}
