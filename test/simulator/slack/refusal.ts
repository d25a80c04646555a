import type { Json } from './read-blocks.ts';

/** An error of Slack's. */
export class Refusal extends Error {
  readonly code: string;
  readonly details: Json;
  constructor(code: string, details: Json = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}
