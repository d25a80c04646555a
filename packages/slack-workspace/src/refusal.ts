import type { Json } from './json.ts';

/** An error of Slack's, such as `channel_not_found`. `details` has the other fields of the response. */
export class Refusal extends Error {
  readonly code: string;
  readonly details: Json;

  constructor(code: string, details: Json = {}) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
  }
}
