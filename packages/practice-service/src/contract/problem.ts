/** One item of HTTPValidationError's `detail`: `loc` begins with body, query or path. */
export interface Problem {
  loc: readonly (string | number)[];
  msg: string;
  type: string;
}
