import { z } from 'zod';
import { isOperationId, type OperationId } from '../operations/all-operations.ts';
import { GARBAGE } from './garbage.ts';

/** How the practice service can be made to fail, as tests and the practice workspace's page say it. */

const operation = z.custom<OperationId>(isOperationId, 'There is no such operation');

/**
 * What becomes of the request's own work: `never` done, done `first`, or done so many ms after the client was answered
 * or left.
 */
const commit = z.union([z.literal(['never', 'first']), z.strictObject({ lateMs: z.number().min(0) })]);

export type Commit = z.infer<typeof commit>;

const always = {
  /** Only these; otherwise all. */
  operation: z.union([operation, z.array(operation).readonly()]).exactOptional(),
  /** The share of the calls that it meets, 0 to 1; 1 unless told. The rules of a plan divide one call's luck. */
  share: z.number().min(0).max(1).exactOptional(),
  /** Met by so many calls and by no more. */
  times: z.int().min(1).exactOptional(),
  /** ms that go by before anything happens. */
  delayMs: z.number().min(0).exactOptional(),
};

const headerText = z.string().regex(/^[\x20-\x7e]+$/);
const status = z.int().min(200).max(599);

export const faultRule = z.discriminatedUnion('fault', [
  /** The usual answer, after `delayMs`. */
  z.strictObject({ ...always, fault: z.literal('slow'), delayMs: z.number().min(0) }),
  /** The connection is reset instead of an answer. */
  z.strictObject({ ...always, fault: z.literal('cut'), commit }),
  /** No answer ever comes. */
  z.strictObject({ ...always, fault: z.literal('hang'), commit }),
  /** `commit` is `never` and `detail` a plain sentence unless told. */
  z.strictObject({
    ...always,
    fault: z.literal('status'),
    status: z.int().min(300).max(599),
    commit: commit.exactOptional(),
    detail: z.json().exactOptional(),
    /** The Retry-After header: seconds, a date, or nonsense. */
    retryAfter: z.union([z.number(), headerText]).exactOptional(),
    /** The Location header, for a 3xx. */
    location: headerText.exactOptional(),
  }),
  /** The work is done `first`, and the answer is of no use. */
  z.strictObject({
    ...always,
    fault: z.literal('garbage'),
    garbage: z.enum(GARBAGE),
    commit: commit.exactOptional(),
    status: status.exactOptional(),
  }),
  /** The work is done `first`, and its answer comes a byte at a time; each takes `byteMs`, 1,000 unless told. */
  z.strictObject({ ...always, fault: z.literal('slow-bytes'), byteMs: z.number().min(0).exactOptional() }),
]);

export type FaultRule = z.infer<typeof faultRule>;

export const faultPlan = z.strictObject({
  /** The same seed brings the same luck to the n-th call of each operation. 1 unless told. */
  seed: z.int().exactOptional(),
  /** Nobody listens on the port: connections are refused. */
  down: z.boolean().exactOptional(),
  rules: z.array(faultRule).readonly().exactOptional(),
});

export type FaultPlan = z.infer<typeof faultPlan>;
