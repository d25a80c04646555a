import { z } from 'zod';
import { isOperationId, type OperationId } from '../operations/all-operations.ts';
import { GARBAGE } from './garbage.ts';

/** The plan of faults, as tests and the emulated workspace's page write it. */

const operation = z.custom<OperationId>(isOperationId, 'There is no such operation');

/**
 * When the request is executed: `never`, `first` (before the fault), or so many ms after the client was answered or
 * disconnected.
 */
const commit = z.union([z.literal(['never', 'first']), z.strictObject({ lateMs: z.number().min(0) })]);

export type Commit = z.infer<typeof commit>;

const always = {
  /** The operations that it applies to. Defaults to all. */
  operation: z.union([operation, z.array(operation).readonly()]).exactOptional(),
  /** The share of calls that it applies to, 0 to 1. Defaults to 1. A call gets at most one fault, so shares add up. */
  share: z.number().min(0).max(1).exactOptional(),
  /** The maximum number of calls that it applies to. */
  times: z.int().min(1).exactOptional(),
  /** Delay before anything happens, ms. */
  delayMs: z.number().min(0).exactOptional(),
};

const headerText = z.string().regex(/^[\x20-\x7e]+$/);
const status = z.int().min(200).max(599);

export const faultRule = z.discriminatedUnion('fault', [
  /** The normal answer, after `delayMs`. */
  z.strictObject({ ...always, fault: z.literal('slow'), delayMs: z.number().min(0) }),
  /** Resets the connection instead of answering. */
  z.strictObject({ ...always, fault: z.literal('cut'), commit }),
  /** Never answers. */
  z.strictObject({ ...always, fault: z.literal('hang'), commit }),
  /** `commit` defaults to `never`, and `detail` to a plain sentence. */
  z.strictObject({
    ...always,
    fault: z.literal('status'),
    status: z.int().min(300).max(599),
    commit: commit.exactOptional(),
    detail: z.json().exactOptional(),
    /** The Retry-After header: seconds, a date, or an invalid value. */
    retryAfter: z.union([z.number(), headerText]).exactOptional(),
    /** The Location header, for a 3xx. */
    location: headerText.exactOptional(),
  }),
  /** Executes the request, then sends a malformed answer. */
  z.strictObject({
    ...always,
    fault: z.literal('garbage'),
    garbage: z.enum(GARBAGE),
    commit: commit.exactOptional(),
    status: status.exactOptional(),
  }),
  /** Executes the request, then sends the answer one byte every `byteMs`. Defaults to 1,000. */
  z.strictObject({ ...always, fault: z.literal('slow-bytes'), byteMs: z.number().min(0).exactOptional() }),
]);

export type FaultRule = z.infer<typeof faultRule>;

export const faultPlan = z.strictObject({
  /** With the same seed, the n-th call of an operation gets the same fault. Defaults to 1. */
  seed: z.int().exactOptional(),
  /** The port is closed: connections are refused. */
  down: z.boolean().exactOptional(),
  /** Posts that become due fail: they are FAILED, and the log says so. */
  failsToPublish: z.boolean().exactOptional(),
  rules: z.array(faultRule).readonly().exactOptional(),
});

export type FaultPlan = z.infer<typeof faultPlan>;
