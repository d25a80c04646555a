import { z } from 'zod';
import { ACTING_ERRORS, ActingError } from '../acting/acting-error.ts';
import { Refusal } from '../refusal.ts';

/** Errors of the control API, beside those of acting as a person. */
const OWN_ERRORS = {
  invalid_request: 'The body or the query doesn’t fit the schema.',
  unknown_route: 'The control API doesn’t have this path or method.',
  token_required:
    'The workspace listens on an address other than loopback, and the request has no valid token.',
  foreign_origin: 'A page of another origin sent the request.',
  refused: 'Slack’s client refused the action, or the app didn’t acknowledge it. `slack_error` says why.',
  internal_error: 'The workspace failed.',
} as const;

export const CONTROL_ERRORS = { ...ACTING_ERRORS, ...OWN_ERRORS };
export type ControlErrorCode = keyof typeof CONTROL_ERRORS;

const CODES = Object.keys(CONTROL_ERRORS) as [ControlErrorCode, ...ControlErrorCode[]];

/** HTTP statuses. Other errors have 404 for unknown names, and 409. */
const STATUSES: Partial<Record<ControlErrorCode, number>> = {
  invalid_request: 400,
  token_required: 401,
  foreign_origin: 403,
  internal_error: 500,
};

export function getStatus(code: ControlErrorCode): number {
  return STATUSES[code] ?? (code.startsWith('unknown_') ? 404 : 409);
}

export const errorSchema = z.strictObject({
  error: z.strictObject({
    code: z.enum(CODES),
    message: z.string().describe('One or two sentences.'),
    visible: z.string().exactOptional().describe('Everything that the person sees.'),
    slack_error: z.string().exactOptional().describe('Slack’s error, such as operation_timeout.'),
  }),
});
type ErrorBody = z.infer<typeof errorSchema>;

/** A failed call of the control API. */
export class ControlError extends Error {
  readonly code: ControlErrorCode;

  constructor(code: ControlErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Converts an error of a route to its answer. */
export function describeError(error: unknown): ErrorBody {
  if (error instanceof ControlError) return { error: { code: error.code, message: error.message } };
  if (error instanceof ActingError) {
    const { code, summary: message, visible } = error;
    return { error: { code, message, ...(visible !== undefined && { visible }) } };
  }
  if (error instanceof Refusal) {
    const message = `Slack refused the action: ${error.code}`;
    return { error: { code: 'refused', message, slack_error: error.code } };
  }
  console.error('could not serve a call of the control API:', error);
  const message = error instanceof Error ? error.message : String(error);
  return { error: { code: 'internal_error', message } };
}
