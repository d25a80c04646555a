import type { Json } from './json.ts';

/** Slack's "no": an error string of the Web API, and what else stands in that answer. */
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
